import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { startChild } from '../../test/support/child.ts';
import { freePort } from '../../test/support/free-port.ts';
import { send } from '../../test/support/http.ts';
import { otlpReceiver } from '../../test/support/otlp.ts';
import { program } from './candidates.ts';
import { residentMebibytes } from './process-cost.ts';

/** Duration and memory of starts, with or without tracing. */
export interface StartResult {
  readonly traced: boolean;
  /** Time from the start of the process to the end of the first `/metrics` response of each start, in ms. */
  readonly times: readonly number[];
  /** Memory of each process {@link settleTime} later, in MiB. */
  readonly memory: readonly number[];
}

/** Time in ms until memory that is needed only at the start is freed. */
const settleTime = 3000;

/** Starts the program `count` times, one after the other. */
export async function runStarts(count: number): Promise<readonly StartResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-bench-'));
  const receiver = await otlpReceiver();
  const results: StartResult[] = [];
  for (const traced of count === 0 ? [] : [false, true]) {
    const environment = traced ? { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } : {};
    const starts: Start[] = [];
    for (let start = 0; start < count; start += 1) starts.push(await oneStart(folder, environment));
    results.push({ traced, times: starts.map(({ time }) => time), memory: starts.map(({ memory }) => memory) });
  }
  await receiver.close();
  await rm(folder, { recursive: true });
  return results;
}

interface Start {
  readonly time: number;
  readonly memory: number;
}

async function oneStart(folder: string, environment: NodeJS.ProcessEnv): Promise<Start> {
  const port = await freePort();
  const file = join(folder, 'graphwarden.yml');
  const nodes = [{ name: 'm1', url: 'http://127.0.0.1:9' }];
  const settings = { listen: `127.0.0.1:${port}`, state_dir: join(folder, 'state'), clusters: [{ name: 'c', nodes }] };
  await writeFile(file, stringify(settings));
  const from = performance.now();
  const child = startChild(process.execPath, [program, 'run', '--config', file], {
    env: { ...process.env, ...environment },
  });
  while (!(await serves(`http://127.0.0.1:${port}/metrics`))) await pause(5);
  const time = performance.now() - from;
  await pause(settleTime);
  const memory = residentMebibytes(child.pid);
  await child.stop();
  return { time, memory };
}

async function serves(url: string): Promise<boolean> {
  try {
    return (await send(url)).status === 200;
  } catch {
    return false;
  }
}
