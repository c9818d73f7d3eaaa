import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { tool } from './run.ts';

/** A registry on this machine. */
export interface LocalRegistry {
  /** Host and port. */
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/** Starts an OCI registry that keeps everything in memory. */
export function startOciRegistry(): Promise<LocalRegistry> {
  return start(tool('crane'), ['registry', 'serve', '--address', '127.0.0.1:0']);
}

/** Starts the npm registry of `npm-registry.ts`. */
export function startNpmRegistry(): Promise<LocalRegistry> {
  return start(process.execPath, [join(import.meta.dirname, 'npm-registry.ts')]);
}

/** Starts a program that prints its port, and waits for that. */
async function start(program: string, args: readonly string[]): Promise<LocalRegistry> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  let log = '';
  const port = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString('utf8');
      const [, found] = /serving on port (\d+)/.exec(log) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('close', () => reject(new Error(`the registry ended: ${log}`)));
  });
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  return { address: `127.0.0.1:${port}`, stop };
}
