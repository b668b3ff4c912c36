// Writes lines to something that may be slow or fail, and slows or fails nobody who hands them over.
import { type Chunk, createLineQueue, type LineQueue } from './line-queue.ts';
import type { LineTarget } from './line-target.ts';
import { countLines } from './lines.ts';
import type { CountDropped } from './quiet-log.ts';
import type { ProcessLog } from '../admission/process-log.ts';

export interface LineWriter {
  /** Queues one line that ends in a newline. Never waits and never fails; a line that does not fit is dropped. */
  readonly write: (line: string) => void;
  /** Writes out what is queued, within the time limit; what is left then is counted as dropped. Never rejects. */
  readonly close: () => Promise<void>;
}

export interface LineWriterOptions {
  /** What the target is called in metrics and in the process log: `log`, `file`. */
  readonly sink: string;
  readonly target: LineTarget;
  readonly log: ProcessLog;
  readonly countDropped: CountDropped;
  /** The most bytes that wait in memory. 8 MiB: some ten thousand records. */
  readonly maxQueuedBytes?: number;
  /** The longest pause between two attempts while the target fails, milliseconds. */
  readonly retryMs?: number;
  /** How long `close` may take, milliseconds. */
  readonly closeMs?: number;
}

const FIRST_RETRY_MS = 50;

/** Makes a writer of lines to `target`. */
export function createLineWriter(options: LineWriterOptions): LineWriter {
  return new QueuedWriter(options);
}

class QueuedWriter implements LineWriter {
  readonly #options: LineWriterOptions;
  readonly #queue: LineQueue;
  #sending: Chunk | undefined;
  #unsent: Buffer = Buffer.alloc(0);
  #failures = 0;
  #running: Promise<void> | undefined;
  #endPause: () => void = () => undefined;
  #closing: Promise<void> | undefined;
  #isAbandoned = false;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#queue = createLineQueue(options.maxQueuedBytes ?? 8 * 1024 * 1024);
  }

  write(line: string): void {
    const { sink, log, countDropped } = this.#options;
    if (this.#closing !== undefined) {
      countDropped(sink, 1);
      return;
    }
    this.#running ??= this.#run();
    if (this.#queue.add(line)) return;
    countDropped(sink, 1);
    if (this.#queue.hole()?.records !== 1) return;
    log.error({ sink }, `audit ${sink} does not keep up; records are dropped and counted`);
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #run(): Promise<void> {
    // Replies go first, and the lines of one turn of the event loop go out together.
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    while (!this.#isAbandoned && this.#takeChunk()) await this.#send();
    this.#running = undefined;
  }

  #takeChunk(): boolean {
    if (this.#sending !== undefined) return true;
    const { sink, log } = this.#options;
    const hole = this.#queue.endHole();
    if (hole) {
      const fields = { sink, dropped: hole.records, since: hole.since };
      log.warn(fields, `audit ${sink} keeps up again; ${hole.records} records were dropped`);
    }
    this.#sending = this.#queue.take();
    if (this.#sending === undefined) return false;
    this.#unsent = Buffer.from(this.#sending.text);
    return true;
  }

  async #send(): Promise<void> {
    const { sink, log, target } = this.#options;
    try {
      const kept = await target.append(this.#unsent);
      this.#unsent = this.#unsent.subarray(kept);
    } catch (error) {
      await this.#pauseAfter(error);
    }
    if (this.#unsent.length > 0 || this.#sending === undefined) return;
    this.#queue.release(this.#sending);
    this.#sending = undefined;
    if (this.#failures > 0) log.info({ sink }, `audit ${sink} is written again`);
    this.#failures = 0;
  }

  async #pauseAfter(error: unknown): Promise<void> {
    const { sink, log, retryMs = 1000 } = this.#options;
    const pauseMs = Math.min(retryMs, FIRST_RETRY_MS * 2 ** Math.min(this.#failures, 20));
    this.#failures += 1;
    if (this.#failures === 1) {
      log.error({ sink, err: error }, `audit ${sink} cannot be written; records wait in memory and it is tried again`);
    }
    await new Promise<void>((resolve) => {
      this.#endPause = resolve;
      setTimeout(resolve, pauseMs).unref();
    });
  }

  async #finish(): Promise<void> {
    this.#running ??= this.#run();
    this.#endPause();
    let timer: NodeJS.Timeout | undefined;
    const timeLimit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.closeMs ?? 2000);
    });
    await Promise.race([this.#running.then(() => this.#closeTarget()), timeLimit]);
    clearTimeout(timer);
    this.#isAbandoned = true;
    this.#endPause();
    this.#countLost();
  }

  async #closeTarget(): Promise<void> {
    const { sink, log, target } = this.#options;
    try {
      await target.close();
    } catch (error) {
      log.error({ sink, err: error }, `audit ${sink} could not be closed`);
    }
  }

  #countLost(): void {
    const { sink, log, countDropped } = this.#options;
    // A line of which only a part went out is lost.
    const sending = Math.min(this.#sending?.records ?? 0, countLines(this.#unsent));
    const lost = sending + this.#queue.records();
    if (lost === 0) return;
    countDropped(sink, lost);
    log.error({ sink, dropped: lost }, `audit ${sink} was not written out in time; ${lost} records are lost`);
  }
}
