import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

/** Ours gives itself nine seconds to stop; the rest is for a machine with other work. */
const longestStop = 30_000;
/** What anything may take on a machine with other work; nobody waits that long for what works. */
const patience = 45_000;

/** A child process with what it said so far. */
export interface Child {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** The exit code once it ended; 128 + signal where a signal ended it. */
  readonly ended: Promise<number>;
  kill(signal?: NodeJS.Signals): void;
  /** Asks it to end, insists after a time in which every program of ours ends by itself, and waits. */
  stop(): Promise<number>;
}

/** Starts a program without a shell and without our standard input. */
export function startChild(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Child {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const ended = endOf(child);
  return {
    pid: child.pid ?? 0,
    stdout,
    stderr,
    ended,
    kill: (signal) => void child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), longestStop);
      return ended.finally(() => clearTimeout(insist));
    },
  };
}

/** Asks again every 50 ms until `probe` gives something else than undefined or false; says `what` when it never does. */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | false>,
  within = patience,
): Promise<T> {
  const end = performance.now() + within;
  let trouble: unknown;
  while (performance.now() < end) {
    try {
      const found = await probe();
      if (found !== undefined && found !== false) return found;
      trouble = undefined;
    } catch (error) {
      trouble = error;
    }
    await pause(50);
  }
  throw new Error(`never in ${within} ms: ${what}`, { cause: trouble });
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  return () => text;
}

function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 143)));
  });
}
