// The audit file: appended, rotated by size, opened again on demand, and never with a line torn in two.
import type { FileHandle } from 'node:fs/promises';
import { AuditFileError, type OpenedFile, openForAppend } from './file-open.ts';
import { shiftFiles } from './file-shift.ts';
import { lengthOfFirst, lengthOfWhole, lengthThatFits } from './lines.ts';
import type { LineTarget } from './line-target.ts';
import type { ProcessLog } from '../admission/process-log.ts';

export interface AuditFileOptions {
  readonly path: string;
  readonly log: ProcessLog;
  /** A file is rotated before it grows past this many bytes. 100 MiB. */
  readonly maxBytes?: number;
  /** How many files are kept, the one being written among them; at least 2. 5. */
  readonly maxFiles?: number;
}

export interface AuditFile extends LineTarget {
  /** Closes the file and opens its path again, as after a rename by logrotate. Never rejects. */
  readonly reopen: () => Promise<void>;
}

/** Opens the audit file. Throws AuditFileError, which names the path and says what to do. */
export async function openAuditFile(options: AuditFileOptions): Promise<AuditFile> {
  const { path, log, maxBytes = 100 * 1024 * 1024, maxFiles = 5 } = options;
  if (!Number.isInteger(maxBytes) || maxBytes < 1) {
    throw new AuditFileError(`audit file "${path}" must have a size of at least 1 byte; it has ${maxBytes}`);
  }
  if (!Number.isInteger(maxFiles) || maxFiles < 2) {
    throw new AuditFileError(`audit file "${path}" must keep at least 2 files; it keeps ${maxFiles}`);
  }
  return new RotatedFile({ path, log, maxBytes, maxFiles }, await openForAppend(path));
}

class RotatedFile implements AuditFile {
  readonly #options: Required<AuditFileOptions>;
  /** Absent after a failure, until the path could be opened again. */
  #file: OpenedFile | undefined;
  #size = 0;
  #isTorn = false;
  /** Bytes at which to rotate; more than `maxBytes` while rotation fails. */
  #limit = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: Required<AuditFileOptions>, file: OpenedFile) {
    this.#options = options;
    this.#use(file);
  }

  append(lines: Buffer): Promise<number> {
    return this.#inTurn(() => this.#append(lines));
  }

  reopen(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#drop();
      try {
        this.#use(await openForAppend(this.#options.path));
      } catch (error) {
        this.#options.log.error({ sink: 'file', err: error }, 'audit file could not be opened again; that is retried');
      }
    });
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      const file = this.#file;
      this.#file = undefined;
      if (file?.isRegular) await file.handle.sync();
      await file?.handle.close();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #use(file: OpenedFile): OpenedFile {
    this.#file = file;
    this.#size = file.size;
    this.#isTorn = file.isTorn;
    this.#limit = file.isRegular ? this.#options.maxBytes : Number.POSITIVE_INFINITY;
    return file;
  }

  async #drop(): Promise<void> {
    const handle = this.#file?.handle;
    this.#file = undefined;
    await handle?.close().catch(() => undefined);
  }

  async #append(lines: Buffer): Promise<number> {
    let file = this.#file ?? this.#use(await openForAppend(this.#options.path));
    if (this.#isTorn) await this.#endLine(file.handle);
    if (await this.#isFull(file.handle, lengthOfFirst(lines))) file = await this.#rotate(file);
    const part = lines.subarray(0, lengthThatFits(lines, this.#limit - this.#size));
    let written = 0;
    try {
      while (written < part.length) written += (await file.handle.write(part, written)).bytesWritten;
    } catch (error) {
      return await this.#keepWholeLines(file.handle, part.subarray(0, written), error);
    }
    this.#size += written;
    return written;
  }

  // Not when the file is opened: a disk that is full must not keep podrail from starting.
  async #endLine(handle: FileHandle): Promise<void> {
    this.#size += (await handle.write('\n')).bytesWritten;
    this.#isTorn = false;
  }

  async #isFull(handle: FileHandle, nextLine: number): Promise<boolean> {
    if (this.#size + nextLine <= this.#limit) return false;
    // Someone else may have emptied it (logrotate's copytruncate).
    this.#size = (await handle.stat()).size;
    return this.#size > 0 && this.#size + nextLine > this.#limit;
  }

  async #rotate(file: OpenedFile): Promise<OpenedFile> {
    const { path, maxBytes, maxFiles, log } = this.#options;
    try {
      await shiftFiles(path, maxFiles);
    } catch (error) {
      // A file that is too large is better than a record that is lost.
      this.#limit = this.#size + Math.ceil(maxBytes / 10);
      log.error({ sink: 'file', err: error }, 'audit file could not be rotated; it grows past its size');
      return file;
    }
    await this.#drop();
    return this.#use(await openForAppend(path));
  }

  /** After a failure: gives the bytes of the lines that are whole, or throws when none is. */
  async #keepWholeLines(handle: FileHandle, written: Buffer, error: unknown): Promise<number> {
    const whole = lengthOfWhole(written);
    try {
      // What cannot be cut off is ended as a line of its own when the file is opened again.
      const { size } = await handle.stat();
      if (whole < written.length && size === this.#size + written.length) await handle.truncate(this.#size + whole);
    } catch {
      // The first error says more than that the file could not be mended either.
    }
    await this.#drop();
    if (whole === 0) throw error;
    return whole;
  }
}
