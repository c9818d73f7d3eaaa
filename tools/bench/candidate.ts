import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

/** Measured process that serves a metrics page. */
export interface Candidate {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** Product name in the user agent with which it polls the upstream; undefined if it does not poll. */
  readonly agent?: string;
  /** Returns the longest gap of the event loop since the last call, in ms; undefined without a gap probe. */
  readonly longestGap?: () => Promise<number>;
  /** Stops the gap probe, which itself uses CPU, until the next call of `longestGap`. */
  readonly pauseProbe?: () => void;
  readonly stop: () => Promise<void>;
}

const benchFolder = import.meta.dirname;
const portMessage = z.object({ port: z.number() });
const gapMessage = z.object({ gap: z.number() });

/** Child process that runs a script of the project with the gap probe. */
export interface ForkedProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly longestGap: () => Promise<number>;
  readonly pauseProbe: () => void;
  readonly stop: () => Promise<void>;
}

/** Starts a script of the project with the gap probe. Its log is dropped unless `BENCH_VERBOSE` is set. */
export function forkWithProbe(script: string, args: readonly string[]): ForkedProcess {
  const child = fork(script, args, {
    execArgv: ['--import', join(benchFolder, 'gap-probe.mjs')],
    stdio: ['ignore', 'ignore', process.env.BENCH_VERBOSE === undefined ? 'ignore' : 'inherit', 'ipc'],
  });
  return {
    pid: child.pid ?? 0,
    child,
    longestGap: async () => {
      const answer = once(child, 'message');
      child.send('gap');
      return gapMessage.parse((await answer)[0]).gap;
    },
    pauseProbe: () => void child.send('still'),
    stop: async () => {
      if (child.exitCode !== null) return;
      const end = once(child, 'exit');
      child.kill('SIGTERM');
      await end;
    },
  };
}

/** Starts a server of the benchmark and waits for the port that it reports. */
export async function forkServer(
  script: string,
  args: readonly string[],
): Promise<ForkedProcess & { readonly port: number }> {
  const forked = forkWithProbe(join(benchFolder, script), args);
  const [message] = await once(forked.child, 'message');
  return { ...forked, port: portMessage.parse(message).port };
}

/** Creates a folder that is removed when the candidate stops. */
export async function withFolder<T extends { readonly stop: () => Promise<void> }>(
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-bench-'));
  const used = await use(folder);
  return {
    ...used,
    stop: async () => {
      await used.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
