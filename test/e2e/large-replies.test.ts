import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import type { FaultName } from '../../src/simulator/faults/fault.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { startDaemon } from '../support/daemon.ts';
import { readExposition } from '../support/exposition.ts';
import { send } from '../support/http.ts';
import { type Page, pageOf } from '../support/in-process-daemon.ts';

const lists = ['queries', 'delayed_queries'];
/** Their endpoints have one entry per host or service, so that 100,000 are over their limit. */
const tables = ['services', 'workload_queues', 'categories'];
const mebibyte = 1_048_576;
/** In seconds, beside what the machine keeps it waiting: alone it is a fifth of a second. */
const longestGap = 1;
/** What a limit of 4 MiB may cost, for several answers at once and until the collector of garbage comes by. */
const growth = 128 * mebibyte;

async function monitor(fault: FaultName, every: string, limits: Readonly<Record<string, unknown>>) {
  const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
  const timing = { interval: every, timeout: every };
  const collectors = Object.fromEntries(['health', 'metrics', ...lists, ...tables].map((name) => [name, timing]));
  const settings = { listen: '127.0.0.1:0', clusters: [{ name: 'c', nodes }], collectors, limits };
  const { url, pid } = await startDaemon(stringify(settings), onTestFinished, { measuresMemory: true });
  const page = async () => pageOf((await send(`${url}/metrics`)).text);
  const before = await page();
  const waited = await waitedFor(pid);
  const heal = await simulator.control.injectFault(fault, { path: /^(?!\/api)/ });
  /** The longest that its own work has held up its event loop, in seconds. */
  const gapOn = async (shown: Page): Promise<number> => {
    const gap = shown.value('graphwarden_event_loop_max_lag_seconds') ?? Number.NaN;
    return gap - ((await waitedFor(pid)) - waited);
  };
  return { page, before, heal, gapOn };
}

/** For how long a process has had work and no processor to do it on, in seconds, by the books of the kernel. */
async function waitedFor(pid: number): Promise<number> {
  const [, nanoseconds = ''] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(nanoseconds) / 1e9;
}

it('lists of 100,000 entries delay no scrape, and the limits apply', async () => {
  const { page, gapOn } = await monitor('entries_100k', '20s', { series_per_family: 1000 });
  const read = new Set<string>();
  const full = await eventually(
    'the long lists were read',
    async () => {
      const now = await page();
      const good = (collector: string) => now.value('graphwarden_collector_success', { collector }) === 1;
      const rejected = (collector: string) =>
        now.value('graphwarden_collector_replies_over_limit_total', { collector }) !== undefined;
      for (const collector of [...lists.filter(good), ...tables.filter(rejected)]) read.add(collector);
      const running = now.families.get('graphdb_queries_running')?.samples ?? [];
      return running.some(({ value }) => value >= 100_000) && read.size === lists.length + tables.length && now;
    },
    200_000,
  );
  expect(await gapOn(full)).toBeLessThan(longestGap);
  for (const { name, samples } of readExposition(full.text, 'text').values()) {
    expect(samples.length, name).toBeLessThanOrEqual(1000);
  }
}, 300_000);

it.each(['body_100mb', 'gzip_bomb'] as const)(
  'large replies › %s costs no more memory than the limit allows',
  async (fault) => {
    const { page, before, heal, gapOn } = await monitor(fault, '4s', { body: '4MiB' });
    const sizes: number[] = [];
    const refused = await eventually('it was refused three times', async () => {
      const now = await page();
      sizes.push(now.value('process_resident_memory_bytes') ?? Number.NaN);
      const labels = { collector: 'metrics', reason: 'too_large' };
      return (now.value('graphwarden_collector_failures_total', labels) ?? 0) >= 3 && now;
    });
    expect(Math.max(...sizes) - (before.value('process_resident_memory_bytes') ?? 0)).toBeLessThan(growth);
    expect(await gapOn(refused)).toBeLessThan(longestGap);
    expect(refused.value('graphdb_up')).toBe(1);
    await heal();
    const good = async (): Promise<boolean> =>
      (await page()).value('graphwarden_collector_success', { collector: 'metrics' }) === 1;
    await eventually('it is good again', good);
  },
  300_000,
);
