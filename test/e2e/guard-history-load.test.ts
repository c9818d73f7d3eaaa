import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { migrations } from '../../src/runtime/store/migrations.ts';
import { openStateFile } from '../../src/runtime/store/state-file.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { startDaemon } from '../support/daemon.ts';
import { readJson } from '../support/http.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { abortCalls } from './guard-environment.ts';

const transitions = 99_048;
const clients = 16;
const victims = 4;
const minAge = 1000;
const decisions = z.object({ items: z.array(z.object({ id: z.string(), outcome: z.string().nullable() })) });

/** Status that changes with each round of the 3,000 replicas, in SQL. */
function alternating(odd: string, even: string): string {
  return `iif(n / 3000 % 2, '${odd}', '${even}')`;
}

/** Creates a state directory whose transitions cover the last 57 days. */
async function createHistory(): Promise<string> {
  const folder = join(await temporaryFolder(), 'state');
  await mkdir(folder);
  const opened = openStateFile(folder, { steps: migrations });
  if (!opened.ok) throw new Error(opened.error.message);
  const { database } = opened.value;
  database.run(`WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${transitions - 1})
    INSERT INTO transitions SELECT 'prod', 'GPE', n % 1000, n / 1000 % 3, ${Date.now()} - (${transitions} - n) * 50000,
    ${alternating('Online', 'Down')}, ${alternating('Down', 'Online')}, 'Running', 'event', '1', 50000, 'm1' FROM numbers`);
  database.close();
  return folder;
}

function settingsFor({ nodes }: Simulator, stateDir: string): string {
  const budget = { max: 100, within: '1h' };
  const policy = {
    name: 'runaway',
    mode: 'enforce',
    when: { query: 'runaway_*', age: `> ${minAge}ms` },
    grace: '1s',
    confirm: { observations: 2, apart: '1s' },
    victims: { max: 9 },
    cooldown: '0s',
  };
  return stringify({
    listen: '127.0.0.1:0',
    state_dir: stateDir,
    clusters: [{ name: 'prod', nodes: nodes.map(({ name, url, instance }) => ({ name, url, instance })) }],
    collectors: { queries: { interval: '1s', timeout: '1s' } },
    guard: { mode: 'enforce', budgets: { per_node: budget, per_cluster: budget }, policies: [policy] },
  });
}

/** Clients of different addresses, each of which repeats a request until it is stopped. */
function flood(url: string) {
  const statuses = new Map<number, number>();
  const stopped = new AbortController();
  const loops = Array.from({ length: clients }, async (_, index) => {
    const dispatcher = new Agent({ localAddress: `127.0.0.${index + 2}` });
    while (!stopped.signal.aborted) {
      const { statusCode, body } = await request(url, { dispatcher });
      await body.dump();
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      // A rejection costs nearly nothing: many more of them would only keep this process busy.
      if (statusCode === 429) await pause(20);
    }
    await dispatcher.close();
  });
  const stop = async (): Promise<void> => {
    stopped.abort();
    await Promise.all(loops);
  };
  return { statuses, stop };
}

it('guard sends every abort while 16 anonymous clients read the availability of 99,048 transitions', async () => {
  const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const daemon = await startDaemon(settingsFor(simulator, await createHistory()));
  const { statuses, stop } = flood(`${daemon.url}/api/v1/availability?since=60d`);
  onTestFinished(stop);
  await eventually('the clients are at their limits', async () => statuses.has(429));
  const started = Array.from({ length: victims }, (_, index) =>
    simulator.control.startQuery({
      node: 'm1',
      graph: 'fraud',
      query: `runaway_${index}`,
      runsFor: 600_000,
      timeout: 600_000,
    }),
  );
  const ids = started.map((query) => query?.requestId ?? '').toSorted();
  const aborted = (): readonly string[] => simulator.aborts().map(({ requestId }) => requestId);
  await eventually('all runaways are aborted', async () => aborted().length === victims, 60_000);
  expect(aborted().toSorted()).toEqual(ids);
  const confirmed = ids.map((id) => ({ id, outcome: 'confirmed' }));
  await eventually('each decision has an outcome', async () => {
    const { items } = decisions.parse(await readJson(`${daemon.url}/api/v1/guard/decisions`));
    return items.every(({ outcome }) => outcome !== null);
  });
  await stop();
  const { items } = decisions.parse(await readJson(`${daemon.url}/api/v1/guard/decisions`));
  expect(items.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(confirmed);
  expect(abortCalls(simulator)).toHaveLength(victims);
  expect([...statuses.keys()].filter((status) => ![200, 429, 504].includes(status))).toEqual([]);
}, 180_000);
