import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

/** Longest time a child may take to stop: graphwarden limits itself to nine seconds, a busy machine adds to that. */
const longestStop = 30_000;
/** Longest wait on a busy machine; conditions that hold at all hold much earlier. */
const timeout = 120_000;

/** Cache of compiled code, which a child with an environment of its own shares too. */
const compileCache = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

/** Child process with its output so far. */
export interface Child {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** Exit code of the ended process; 128 + signal if a signal ended it. */
  readonly ended: Promise<number>;
  kill(signal?: NodeJS.Signals): void;
  /** Sends SIGTERM, after {@link longestStop} SIGKILL, and waits for the end. */
  stop(): Promise<number>;
}

/** Starts a program without a shell and without standard input. */
export function startChild(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Child {
  const child = spawn(program, args, {
    ...options,
    ...(options.env && { env: { ...compileCache, ...options.env } }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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

/**
 * Repeats `probe` until it returns anything but undefined or false. The pause grows with the time that has passed, so
 * that a short wait ends early and a long one leaves the processor to what it waits for. The error names `what`.
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | false>,
  within = timeout,
): Promise<T> {
  const begin = performance.now();
  const end = begin + within;
  let lastError: unknown;
  while (performance.now() < end) {
    try {
      const found = await probe();
      if (found !== undefined && found !== false) return found;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    await pause(Math.min(Math.max((performance.now() - begin) / 10, 20), 500));
  }
  throw new Error(`never in ${within} ms: ${what}`, { cause: lastError });
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
