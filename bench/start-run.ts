import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { freePort, startChild } from '../test/support/child.ts';
import { send } from '../test/support/http.ts';
import { program } from './contenders.ts';

/** How long it took from the start of the process to the end of the first `/metrics`, ms, for each start. */
export interface StartResult {
  readonly times: readonly number[];
}

/** Starts the program `count` times, one after the other. */
export async function runStarts(count: number): Promise<readonly StartResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-bench-'));
  const times: number[] = [];
  for (let start = 0; start < count; start += 1) times.push(await timeOfStart(folder));
  await rm(folder, { recursive: true });
  return count === 0 ? [] : [{ times }];
}

async function timeOfStart(folder: string): Promise<number> {
  const port = await freePort();
  const file = join(folder, 'graphwarden.yml');
  const nodes = [{ name: 'm1', url: 'http://127.0.0.1:9' }];
  const settings = { listen: `127.0.0.1:${port}`, state_dir: join(folder, 'state'), clusters: [{ name: 'c', nodes }] };
  await writeFile(file, stringify(settings));
  const from = performance.now();
  const child = startChild(process.execPath, [program, 'run', '--config', file]);
  while (!(await serves(`http://127.0.0.1:${port}/metrics`))) await pause(5);
  const time = performance.now() - from;
  await child.stop();
  return time;
}

async function serves(url: string): Promise<boolean> {
  try {
    return (await send(url)).status === 200;
  } catch {
    return false;
  }
}
