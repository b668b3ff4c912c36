// Opening the audit file, and saying what to do where that fails.
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { NEWLINE } from './lines.ts';

/** The audit file cannot be used; the message names it and says what to do. */
export class AuditFileError extends Error {
  override readonly name = 'AuditFileError';
}

export interface OpenedFile {
  readonly handle: FileHandle;
  /** Bytes in it. */
  readonly size: number;
  /** Whether its last line has no end. */
  readonly isTorn: boolean;
  /** A device (`/dev/null`) has no size and is not rotated. */
  readonly isRegular: boolean;
}

/** Opens a file for appending; makes it with mode 0600 where it is missing. Throws AuditFileError. */
export async function openForAppend(path: string): Promise<OpenedFile> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'a+', 0o600);
    return await readOpened(path, handle);
  } catch (error) {
    await handle?.close().catch(() => undefined);
    throw error instanceof AuditFileError ? error : toAuditFileError(path, error);
  }
}

async function readOpened(path: string, handle: FileHandle): Promise<OpenedFile> {
  const stat = await handle.stat();
  if (stat.isFIFO() || stat.isSocket()) {
    throw new AuditFileError(`audit file "${path}" is a pipe; name a file (standard output has every record already)`);
  }
  if (!stat.isFile()) return { handle, size: 0, isTorn: false, isRegular: false };
  return { handle, size: stat.size, isTorn: await isTorn(handle, stat.size), isRegular: true };
}

async function isTorn(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== NEWLINE;
}

function toAuditFileError(path: string, cause: unknown): AuditFileError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return new AuditFileError(`audit file "${path}" ${toProblem(path, String(code), String(cause))}`, { cause });
}

function toProblem(path: string, code: string, text: string): string {
  const directory = dirname(path);
  switch (code) {
    case 'ENOENT':
      return `has no directory; make "${directory}" or name another file`;
    case 'ENOTDIR':
      return `is inside something that is no directory; name another file than one in "${directory}"`;
    case 'EISDIR':
      return `is a directory; name a file in it, like "${path}/audit.log"`;
    case 'EACCES':
    case 'EPERM':
      return `may not be written by user ${process.geteuid?.()}; let it write to the file and to "${directory}"`;
    case 'EROFS':
      return 'is on a read-only file system; mount a writable volume there or name another file';
    default:
      return `cannot be opened: ${text}`;
  }
}
