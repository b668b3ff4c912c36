// Standard output as a place for lines, without ever holding up the process: neither while it runs nor when it ends.
import { fstatSync, write } from 'node:fs';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import type { LineTarget } from './line-target.ts';

const writeTo = promisify(write);

/**
 * Standard output, or any stream, as a target of lines.
 *
 * A pipe is written through the stream, which waits for the reader without a thread; a thread that waits in write(2)
 * would keep the process from exiting. Anything else is written from a thread, since Node's stream for a file or a
 * terminal writes in place and would wait for a slow disk.
 */
export function createOutput(stream: Writable & { readonly fd?: number }): LineTarget {
  // Without a listener a reader that went away (EPIPE) would end the process; `append` rejects with the same error.
  stream.on('error', () => undefined);
  const append = stream.fd === undefined || isPipe(stream.fd) ? appendToStream(stream) : appendTo(stream.fd);
  return { append, close: () => Promise.resolve() };
}

function isPipe(fd: number): boolean {
  const stat = fstatSync(fd);
  return stat.isFIFO() || stat.isSocket();
}

function appendToStream(stream: Writable): LineTarget['append'] {
  return (lines) =>
    new Promise((resolve, reject) => {
      stream.write(lines, (error) => (error ? reject(error) : resolve(lines.length)));
    });
}

function appendTo(fd: number): LineTarget['append'] {
  return async (lines) => (await writeTo(fd, lines)).bytesWritten;
}
