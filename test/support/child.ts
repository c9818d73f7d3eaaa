import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A child process with what it said so far. */
export interface Child {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** The exit code once it ended; 128 + signal where a signal ended it. */
  readonly ended: Promise<number>;
  kill(signal?: NodeJS.Signals): void;
  /** Asks it to end, insists after five seconds, and waits. */
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
      const insist = setTimeout(() => child.kill('SIGKILL'), 5000);
      return ended.finally(() => clearTimeout(insist));
    },
  };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Asks again every 50 ms until `probe` gives something else than undefined or false; says `what` when it never does. */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | false>,
  within = 15_000,
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
