import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Daemon, startDaemon } from './daemon.ts';

/** Scenario that uses one state directory. */
export interface FolderScenario<Result> {
  run(): Promise<Result>;
  close(): Promise<void>;
}

/** Runs a scenario in a temporary folder, and removes the folder. */
export async function runInFolder<Result>(open: (folder: string) => FolderScenario<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-crash-'));
  const scenario = open(folder);
  try {
    return await scenario.run();
  } finally {
    await scenario.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Unexpected exit or log line of a daemon. */
export interface DaemonProblem {
  readonly kind: 'complaint';
  /** Sentence for the report. */
  readonly about: string;
}

/** Daemons that use one state directory, one after the other. */
export class DaemonRuns {
  readonly problems: DaemonProblem[] = [];
  readonly #program: { readonly entry: string; readonly file: string };
  readonly #expected: readonly string[];
  #latest: Daemon | undefined;

  /** `expected` are parts of log lines that are not reported. */
  constructor(entry: string, file: string, expected: readonly string[] = []) {
    this.#program = { entry, file };
    this.#expected = expected;
  }

  start(): Daemon {
    this.#latest = startDaemon(this.#program.entry, this.#program.file);
    return this.#latest;
  }

  /** Checks that a killed daemon did not end by itself before. */
  async expectKill(daemon: Daemon): Promise<void> {
    const code = await daemon.ended;
    if (code !== undefined) this.#addProblem(`the daemon ended by itself with ${code}`);
    this.#watchLog(daemon);
  }

  /** Stops a daemon and checks that it exits with code 0. */
  async stopCleanly(daemon: Daemon): Promise<void> {
    const code = await daemon.stop();
    if (code !== 0) this.#addProblem(`the daemon that was asked to end did so with ${code ?? 'a signal'}`);
    this.#watchLog(daemon);
  }

  async close(): Promise<void> {
    this.#latest?.kill();
    await this.#latest?.ended;
  }

  #watchLog(daemon: Daemon): void {
    const unexpected = daemon
      .unexpectedLogLines()
      .filter((line) => !this.#expected.some((words) => line.includes(words)));
    for (const line of unexpected) this.#addProblem(line);
  }

  #addProblem(about: string): void {
    this.problems.push({ kind: 'complaint', about });
  }
}
