import type { RecordingSettings } from '../../guard/policy.ts';
import { waitAtMost } from '../../kernel/deadline.ts';
import type { Logger } from '../../kernel/logger.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { LineFiles, LineWriter } from '../../kernel/system.ts';
import type { Clock, Millis } from '../../kernel/time.ts';

/** Dependencies of {@link RecordingFiles}. */
export interface RecordingFilesContext {
  readonly clock: Clock;
  readonly log: Logger;
  readonly recordingFiles: LineFiles;
  /** Folder of the files; the folder above it exists. */
  readonly folder: string;
}

/** Lines that belong to one file, until it is rotated. */
export interface RecordingStream {
  readonly key: string;
  /** Part of the file name. */
  readonly label: string;
  /** First line of each file. Another header starts another file. */
  readonly header: string;
}

interface OpenFile {
  readonly name: string;
  readonly header: string;
  readonly writer: LineWriter;
  readonly startedAt: Millis;
}

interface KnownFile {
  size: number;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
}

/** Number by which the maximum size and age of the folder are divided: a file is rotated at either quotient. */
const filesPerFolder = 16;
/** Characters that wait for the disk; more lines are dropped. */
const maxPending = 8 * 2 ** 20;
/** Time without an attempt after a failed write. */
const retryAfter: Millis = 30_000;
const stopTimeout: Millis = 1000;

/** Rotated files of a folder with a maximum size and age. If the disk fails, lines are lost, and counted. */
export class RecordingFiles {
  /** Dropped lines since the start. */
  dropped = 0;
  readonly #context: RecordingFilesContext;
  #bounds: Pick<RecordingSettings, 'maxSize' | 'maxAge'> = { maxSize: 0, maxAge: 0 };
  readonly #queue = new SerialQueue();
  /** By name, oldest first; undefined until the folder was listed. */
  #files: Map<string, KnownFile> | undefined;
  /** By the key of the stream. */
  readonly #open = new Map<string, OpenFile>();
  #lastNumber = 0;
  #pending = 0;
  #problem: string | undefined;
  #retryAt: Millis = Number.NEGATIVE_INFINITY;

  constructor(context: RecordingFilesContext) {
    this.#context = context;
  }

  /** Bytes of all files of the folder. */
  get size(): number {
    return [...(this.#files?.values() ?? [])].reduce((sum, { size }) => sum + size, 0);
  }

  /** Queues a line for the disk; writing it also removes files that exceed the maximum age or size. */
  append(stream: RecordingStream, line: string, bounds: Pick<RecordingSettings, 'maxSize' | 'maxAge'>): void {
    this.#bounds = bounds;
    if (this.#pending + line.length > maxPending) {
      this.#drop('the disk is too slow');
      return;
    }
    this.#pending += line.length;
    void this.#queue.run(async () => {
      await this.#write(stream, line);
      this.#pending -= line.length;
    });
  }

  /** Closes the file of a stream after its lines. */
  end(key: string): void {
    void this.#queue.run(() => this.#closeFile(key));
  }

  /** Closes all files; a disk that does not respond is not awaited. */
  async close(): Promise<void> {
    const closed = this.#queue.run(async () => {
      for (const key of this.#open.keys()) await this.#closeFile(key);
    });
    await waitAtMost(this.#context.clock, stopTimeout, closed);
  }

  async #write(stream: RecordingStream, line: string): Promise<void> {
    const { clock, log } = this.#context;
    if (clock.now().mono < this.#retryAt) {
      this.dropped += 1;
      return;
    }
    const written = await this.#tryWrite(stream, line);
    if (!written.ok) {
      this.#retryAt = clock.now().mono + retryAfter;
      await this.#closeFile(stream.key);
      // The folder may have been removed.
      this.#files = undefined;
      this.#drop(written.error);
    } else if (this.#problem !== undefined && this.#pending === line.length) {
      this.#problem = undefined;
      log.info('recording resumed');
    }
  }

  #drop(reason: string): void {
    this.dropped += 1;
    if (this.#problem === undefined) this.#context.log.warn('recording failed', { error: reason });
    this.#problem = reason;
  }

  async #tryWrite(stream: RecordingStream, line: string): Promise<Result<void, string>> {
    const listed = await this.#listFiles();
    if (!listed.ok) return listed;
    const hasRoom = await this.#makeRoom(listed.value, stream.header.length + line.length);
    if (!hasRoom.ok) return hasRoom;
    const file = await this.#fileOf(stream);
    return file.ok ? this.#writeLine(file.value, line) : file;
  }

  async #listFiles(): Promise<Result<Map<string, KnownFile>, string>> {
    if (this.#files !== undefined) return ok(this.#files);
    const { recordingFiles, folder } = this.#context;
    const created = await recordingFiles.createFolder(folder);
    if (!created.ok) return created;
    const listed = await recordingFiles.list(folder);
    if (!listed.ok) return listed;
    const own = listed.value.filter(({ name }) => isRecordingName(name));
    this.#lastNumber = Math.max(this.#lastNumber, ...own.map(({ name }) => Number.parseInt(name, 10)));
    this.#files = new Map(own.map(({ name, ...file }) => [name, file]));
    return ok(this.#files);
  }

  async #makeRoom(files: Map<string, KnownFile>, length: number): Promise<Result<void, string>> {
    const { maxSize, maxAge } = this.#bounds;
    const expired = this.#context.clock.now().wall - maxAge;
    for (const [name, { modifiedAt }] of files) {
      if (this.size + length <= maxSize && modifiedAt >= expired) return ok(undefined);
      const open = [...this.#open].find(([, file]) => file.name === name);
      if (open !== undefined) await this.#closeFile(open[0]);
      const removed = await this.#remove(name);
      if (!removed.ok) return removed;
    }
    return this.size + length <= maxSize ? ok(undefined) : err('a line exceeds the maximum size of all recordings');
  }

  async #fileOf(stream: RecordingStream): Promise<Result<OpenFile, string>> {
    const { key, label, header } = stream;
    const open = this.#open.get(key);
    if (open !== undefined && open.header === header && !this.#isFull(open)) return ok(open);
    await this.#closeFile(key);
    const { recordingFiles, folder, clock } = this.#context;
    this.#lastNumber += 1;
    const name = `${String(this.#lastNumber).padStart(8, '0')}-${label.replaceAll(/[^\w.-]/g, '_').slice(-100)}.jsonl`;
    const writer = await recordingFiles.create(`${folder}/${name}`, { replace: false });
    if (!writer.ok) return writer;
    const file = { name, header, writer: writer.value, startedAt: clock.now().mono };
    this.#files?.set(name, { size: 0, modifiedAt: clock.now().wall });
    this.#open.set(key, file);
    const started = await this.#writeLine(file, header);
    if (started.ok) return ok(file);
    // A full disk must not collect empty files.
    await this.#closeFile(key);
    await this.#remove(name);
    return started;
  }

  #isFull({ name, startedAt }: OpenFile): boolean {
    const { maxSize, maxAge } = this.#bounds;
    const size = this.#files?.get(name)?.size ?? 0;
    return size >= maxSize / filesPerFolder || this.#context.clock.now().mono - startedAt >= maxAge / filesPerFolder;
  }

  /** A failed write may have written a part of the line. */
  #writeLine({ name, writer }: OpenFile, line: string): Promise<Result<void, string>> {
    const file = this.#files?.get(name);
    if (file !== undefined) {
      file.size += line.length + 1;
      file.modifiedAt = this.#context.clock.now().wall;
    }
    return writer.write(line);
  }

  async #closeFile(key: string): Promise<void> {
    const file = this.#open.get(key);
    this.#open.delete(key);
    await file?.writer.close();
  }

  async #remove(name: string): Promise<Result<void, string>> {
    const removed = await this.#context.recordingFiles.remove(`${this.#context.folder}/${name}`);
    if (removed.ok) this.#files?.delete(name);
    return removed;
  }
}

/** Returns the folder of the recordings of a daemon. */
export function recordingsFolder(stateDir: string): string {
  return `${stateDir}/recordings`;
}

/** Returns the folder of the lists around aborts. */
export function evidenceFolder(recordings: string): string {
  return `${recordings}/aborts`;
}

/** Returns how the name of the file with the lists around the abort of a query ends. */
export function evidenceSuffix(id: string): string {
  return `-${id}.jsonl`;
}

/** Returns the names of the files with the lists around aborts; none if the folder cannot be read. */
export async function listEvidence(stateDir: string, files: LineFiles): Promise<readonly string[]> {
  const listed = await files.list(evidenceFolder(recordingsFolder(stateDir)));
  return listed.ok ? listed.value.map(({ name }) => name).filter(isRecordingName) : [];
}

/** Whether a file of the folder is a recording: other files are neither read nor removed. */
export function isRecordingName(name: string): boolean {
  return /^\d{8,15}-.*\.jsonl$/.test(name);
}
