import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

/** A process under measurement that serves a page. */
export interface Candidate {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** The product name in the user agent with which it polls the upstream; undefined where it does not. */
  readonly agent?: string;
  /** The longest event-loop gap since the last call, ms; undefined where there is no loop of ours. */
  readonly longestGap?: () => Promise<number>;
  /** Stops the gap probe, which costs CPU of its own, until the next call of `longestGap`. */
  readonly pauseProbe?: () => void;
  readonly stop: () => Promise<void>;
}

const benchFolder = import.meta.dirname;
const portMessage = z.object({ port: z.number() });
const gapMessage = z.object({ gap: z.number() });

/** A script of ours as a child with the gap probe inside. */
export interface ForkedProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly longestGap: () => Promise<number>;
  readonly pauseProbe: () => void;
  readonly stop: () => Promise<void>;
}

/** Starts a script of the project; what it logs is thrown away unless it ends early. */
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
