import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { program } from '../support/build-program.ts';
import { eventually, startChild } from '../support/child.ts';
import { send } from '../support/http.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { findTool } from '../support/tools.ts';

const often = { interval: '250ms', timeout: '250ms' };
const seldom = { enabled: false };

/** What was seen of a daemon in a while. */
interface Observation {
  /** How long scrapes took, in ms, the longest last. */
  readonly scrapes: readonly number[];
  /** Requests of the service status per second. */
  readonly polls: number;
  /** Transitions that got into its timeline. */
  readonly stored: number;
}

async function configured(simulator: Simulator): Promise<string> {
  const folder = await temporaryFolder();
  const off = ['metrics', 'categories', 'statistics', 'queries', 'delayed_queries', 'workload_queues', 'license'];
  const settings = {
    listen: '127.0.0.1:0',
    state_dir: join(folder, 'state'),
    clusters: [{ name: 'c', nodes: simulator.nodes.map(({ name, url }) => ({ name, url })), graphs: ['fraud'] }],
    collectors: { health: often, services: often, ...Object.fromEntries(off.map((name) => [name, seldom])) },
  };
  await writeFile(join(folder, 'graphwarden.yml'), stringify(settings));
  return folder;
}

/** Watches a daemon, whose calls of the system are traced, for five seconds in which a service changes all the time. */
async function observe(calls: string): Promise<Observation> {
  const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const folder = await configured(simulator);
  const run = [process.execPath, program, 'run', '--config', join(folder, 'graphwarden.yml')];
  const child = startChild('strace', ['-D', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', '-e', calls, ...run], {
    cwd: folder,
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await child.ended;
  });
  const address = (): string | undefined => /"url":"(http:[^"]+?)\/?"/.exec(child.stderr())?.[1];
  const url = await eventually('the daemon logs its address', async () => address());
  await eventually('the first round is over', async () => (await send(`${url}/-/ready`)).status === 200);
  const countRequests = (): number =>
    simulator.calls().filter(({ path }) => path.includes('current-service-status')).length;
  const [from, begun] = [countRequests(), performance.now()];
  const scrapes: number[] = [];
  for (let index = 0; index < 200; index += 1) {
    simulator.control.setService('GPE', '1', '1', index % 20 < 10 ? 'Down' : 'Online');
    const start = performance.now();
    expect((await send(`${url}/metrics`)).status).toBe(200);
    scrapes.push(performance.now() - start);
    await pause(Math.max(0, 25 - (performance.now() - start)));
  }
  const polls = (countRequests() - from) / ((performance.now() - begun) / 1000);
  const { items }: { readonly items: readonly unknown[] } = JSON.parse(
    (await send(`${url}/api/v1/transitions?service=GPE`)).text,
  );
  return { scrapes: scrapes.toSorted((a, b) => a - b), polls, stored: items.length };
}

/** What half of the scrapes did not take longer than, in ms. */
function median({ scrapes }: Observation): number {
  return scrapes[Math.floor(scrapes.length / 2)] ?? 0;
}

describe.skipIf(findTool('strace') === undefined)('a disk that takes half a second for each fsync', () => {
  it('does not delay scrapes and polls', async () => {
    const well = await observe('trace=fsync,fdatasync');
    const slowed = await observe('inject=fsync,fdatasync:delay_enter=500ms');
    expect(well.stored).toBeGreaterThan(5);
    expect(slowed.stored).toBeGreaterThan(5);
    expect(median(slowed)).toBeLessThan(median(well) + 250);
    // A machine with other work has its hiccups; a disk in the way would hold up a scrape with each transition, and each poll.
    const heldUp = slowed.scrapes.filter((took) => took > median(well) + 350);
    expect(heldUp.length).toBeLessThan(slowed.stored / 2);
    expect(slowed.polls).toBeGreaterThan(0.5 * well.polls);
  });
});
