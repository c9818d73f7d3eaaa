import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

/** Time after which a child that does not stop is killed. graphwarden stops within nine seconds; a busy machine takes longer. */
const longestStop = 30_000;
/** Maximum wait for a condition on a busy machine. A condition that is met at all is met much earlier. */
const timeout = 120_000;

/** Cache of compiled code, which is also set for a child with its own environment. */
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
 * Repeats `probe` until it returns a value other than undefined and false. The pause grows with the elapsed time, so that a
 * short wait ends early and a long wait takes little CPU time. The error names `what`.
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
