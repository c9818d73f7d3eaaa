import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Daemon, startDaemon } from './daemon.ts';

/** What is played over one state folder. */
export interface Play<Result> {
  play(): Promise<Result>;
  close(): Promise<void>;
}

/** Plays in a folder that is there for this alone, and leaves nothing behind. */
export async function played<Result>(open: (folder: string) => Play<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-crash-'));
  const scene = open(folder);
  try {
    return await scene.play();
  } finally {
    await scene.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a daemon did or said that none should. */
export interface Complaint {
  readonly kind: 'complaint';
  /** A sentence. */
  readonly about: string;
}

/** The daemons over one state folder, one after the other. */
export class Daemons {
  readonly complaints: Complaint[] = [];
  readonly #program: { readonly entry: string; readonly file: string };
  readonly #expected: readonly string[];
  #latest: Daemon | undefined;

  /** `expected` are words of lines that are no complaint here. */
  constructor(entry: string, file: string, expected: readonly string[] = []) {
    this.#program = { entry, file };
    this.#expected = expected;
  }

  start(): Daemon {
    this.#latest = startDaemon(this.#program.entry, this.#program.file);
    return this.#latest;
  }

  /** A daemon was killed: it is none that ended before by itself. */
  async bury(daemon: Daemon): Promise<void> {
    const code = await daemon.ended;
    if (code !== undefined) this.#complain(`the daemon ended by itself with ${code}`);
    this.#hear(daemon);
  }

  /** A daemon is asked to end, and has to do so well. */
  async retire(daemon: Daemon): Promise<void> {
    const code = await daemon.stop();
    if (code !== 0) this.#complain(`the daemon that was asked to end did so with ${code ?? 'a signal'}`);
    this.#hear(daemon);
  }

  async close(): Promise<void> {
    this.#latest?.kill();
    await this.#latest?.ended;
  }

  #hear(daemon: Daemon): void {
    const odd = daemon.complaints().filter((line) => !this.#expected.some((words) => line.includes(words)));
    for (const line of odd) this.#complain(line);
  }

  #complain(about: string): void {
    this.complaints.push({ kind: 'complaint', about });
  }
}
