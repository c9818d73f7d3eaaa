import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { isUnexpectedLogLine } from '../crash/daemon.ts';
import type { DatabaseProxy } from './database-proxy.ts';

/** Program and configuration of one replica. */
export interface ReplicaOptions {
  readonly index: number;
  readonly entry: string;
  readonly file: string;
  /** Undefined if the state is in a folder. */
  readonly proxy: DatabaseProxy | undefined;
}

/** When a process of a replica ran. Times are ms since the epoch. */
export interface ReplicaRun {
  readonly replica: number;
  readonly from: number;
  /** Time by which its wall clock is ahead. */
  readonly skew: number;
  until?: number;
}

/** Parts of log lines that the faults of the campaign cause. */
const expectedLines =
  /query still running|circuit breaker opened|database|lease|state|store|commit|audit|notification|postgres/i;
const preload = join(import.meta.dirname, 'preload.mjs');

/** Address by which the database knows a replica. */
export function addressOf(index: number): string {
  return `127.0.0.${11 + index}`;
}

/** One replica: a process that is started again after each end. */
export class Replica {
  readonly index: number;
  readonly runs: ReplicaRun[] = [];
  readonly proxy: DatabaseProxy | undefined;
  readonly problems: string[] = [];
  readonly #entry: string;
  readonly #file: string;
  #child: ChildProcess | undefined;
  #ended: Promise<number | undefined> = Promise.resolve(undefined);
  #output = '';
  #earlierOutput = '';
  #isEndExpected = false;

  constructor({ index, entry, file, proxy }: ReplicaOptions) {
    this.index = index;
    this.#entry = entry;
    this.#file = file;
    this.proxy = proxy;
  }

  /** Whether the process runs, stopped or not. */
  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** Address of its API; undefined before it listens. */
  get url(): string | undefined {
    return /"url":"(http:[^"]+?)\/?"/.exec(this.#output)?.[1];
  }

  /** Latest log lines, for the evidence. */
  get log(): string {
    return `${this.#earlierOutput}${this.#output}`.slice(-2_000_000);
  }

  start(skew: number): void {
    const run: ReplicaRun = { replica: this.index, from: Date.now(), skew };
    const variables = { FAILOVER_REPLICA: String(this.index), FAILOVER_SKEW: String(skew) };
    const child = spawn(process.execPath, ['--import', preload, this.#entry, 'run', '--config', this.#file], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...variables },
    });
    this.runs.push(run);
    this.#child = child;
    this.#isEndExpected = false;
    this.#earlierOutput += this.#output;
    this.#output = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.#output += chunk;
    });
    this.#ended = new Promise((resolve) => {
      child.on('close', (code) => {
        run.until = Date.now();
        this.#child = undefined;
        this.#inspectEnd(code);
        resolve(code ?? undefined);
      });
    });
  }

  /** Ends the process like a crash. */
  async kill(): Promise<void> {
    this.#isEndExpected = true;
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  /** Stops the process with SIGTERM. */
  async stop(): Promise<void> {
    this.#isEndExpected = true;
    this.#child?.kill('SIGTERM');
    const code = await this.#ended;
    if (code !== 0 && code !== undefined) this.problems.push(`replica ${this.index} ended with ${code} after SIGTERM`);
  }

  /** Freezes the process with SIGSTOP, like a long pause of the machine. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  #inspectEnd(code: number | null): void {
    const about = `replica ${this.index}`;
    const lines = this.#output.split('\n');
    if (!this.#isEndExpected) this.problems.push(`${about} ended by itself with ${code}: ${lines.slice(-4).join(' ')}`);
    for (const line of lines.filter(isUnexpectedLogLine)) {
      if (/which is a bug|unhandled/i.test(line) || !expectedLines.test(line)) this.problems.push(`${about}: ${line}`);
    }
  }
}
