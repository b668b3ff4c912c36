// The bytes of whatever a path or a descriptor leads to: a file, a pipe, a device. However much that gives, reading it ends.
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';

/** More than the manifests of a large cluster have together, and less than the longest text of this process. */
export const MOST_INPUT_BYTES = 256 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;
const PAUSE_MS = 10;

/** How often a pipe is asked again before nobody counts as writing to it. */
const MOST_PAUSES_FOR_WRITER = 200;

/** Reads to the end. Throws the errors of the file system, and an Error in plain words for what is larger than `mostBytes`. */
export function readBytes(file: string, mostBytes = MOST_INPUT_BYTES): Buffer {
  // Otherwise opening a pipe waits for its writer, and nothing could end that.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    return readAll(descriptor, stats, mostBytes, stats.isFIFO() ? MOST_PAUSES_FOR_WRITER : 0);
  } finally {
    closeSync(descriptor);
  }
}

/** As readBytes, from what is open already, such as standard input, which is 0. Whoever opened it closes it. */
export function readDescriptor(descriptor: number, mostBytes = MOST_INPUT_BYTES): Buffer {
  return readAll(descriptor, fstatSync(descriptor), mostBytes, 0);
}

function readAll(descriptor: number, stats: Stats, mostBytes: number, mostPauses: number): Buffer {
  const { size } = stats;
  if (size > mostBytes) throw new Error(tooLarge(`has ${toMebibytes(size)},`, mostBytes));
  // What the kernel makes up, as under /proc, says that it has 0 bytes.
  if (stats.isFile() && size > 0) return readFileSync(descriptor);
  return readToEnd(descriptor, mostBytes, mostPauses);
}

function readToEnd(descriptor: number, mostBytes: number, mostPauses: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  let pauses = 0;
  // A pipe gives less at a time than a chunk holds: what is left of one is filled first.
  let free = Buffer.alloc(0);
  for (;;) {
    if (free.length === 0) free = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSome(descriptor, free);
    if (read === 0 && (length > 0 || mostPauses === 0)) return Buffer.concat(chunks, length);
    if (read === 0 && pauses++ === mostPauses) throw new Error('is a pipe that nobody writes to');
    if (read) {
      chunks.push(free.subarray(0, read));
      free = free.subarray(read);
      length += read;
    } else pause();
    if (length > mostBytes) throw new Error(tooLarge('gives', mostBytes));
  }
}

/** 0 at the end; undefined where there is nothing yet. */
function readSome(descriptor: number, chunk: Buffer): number | undefined {
  try {
    return readSync(descriptor, chunk, 0, chunk.length, null);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

function tooLarge(what: string, mostBytes: number): string {
  return `${what} more than the ${toMebibytes(mostBytes)} that are read; split it, or name the right file`;
}

function toMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}
