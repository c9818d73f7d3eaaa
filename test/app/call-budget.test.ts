import { describe, expect, it } from 'vitest';
import { collectors } from '../../src/collect/all.ts';
import { openCluster } from '../../src/graphdb/connect.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { Clock } from '../../src/kernel/time.ts';
import type { AuthSettings } from '../../src/model/settings.ts';
import { FakeClock } from '../support/clock.ts';
import { digest } from '../support/digest.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { startInMemoryCluster } from '../support/in-memory-cluster.ts';
import { pageOf } from '../support/in-process-daemon.ts';
import { clusterOf, fixedRandom } from './fakes.ts';
import { simulatedUser, startInMemoryApp } from './in-memory-app.ts';

/** All collectors but those that run by calendar, which are heavy and rare. */
const polled = collectors.filter(({ defaults }) => defaults.schedule === undefined);
const nodeCount = 3;
/** With the two of the simulator, 500 vertex types of 20 graphs. */
const extraTypes = 23;
const anyUser: AuthSettings = {
  kind: 'basic',
  username: simulatedUser.username,
  password: { value: new Secret(simulatedUser.password) },
};
const statements = { one: 'load.1', two: 'load.2' };
function graphNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `g${10_000 + at}`);
}

/** Returns the average number of calls a second and node, from the requests of one poll of each collector. */
async function callRate(graphCount: number): Promise<number> {
  const fake = new FakeClock();
  const clock: Clock = {
    now: () => fake.now(),
    sleep: (length, signal) => (length === 0 ? Promise.resolve() : fake.sleep(length, signal)),
    yieldToEventLoop: () => fake.yieldToEventLoop(),
  };
  const graphs = graphNames(graphCount);
  const { simulator, openPool, requests } = await startInMemoryCluster(clock, () => 0, { graphs, extraTypes });
  const [node = expect.fail('no node')] = simulator.nodes;
  const ports = { openPool, clock, random: fixedRandom(0.5), files: new FakeFiles(), digest };
  const settings = clusterOf('prod', [], { readAuth: anyUser, statements });
  const { db } = openCluster(settings, { bodyLimit: 10_000_000 }, ports).node(node);
  let rate = 0;
  for (const collector of polled) {
    const { name, scope, defaults } = collector;
    // The first poll also detects path forms, and requests versions and the list of graphs, which are cached then.
    let before = 0;
    for (const _ of graphCount > 1000 ? ['only'] : ['first', 'second']) {
      before = requests.length;
      const result = await collector.poll(db, new AbortController().signal);
      // The endpoints of 10,000 graphs exceed the limits of a reply.
      if (!result.ok) expect([name, result.error.reason, graphCount]).toEqual(['endpoints', 'too_large', 10_000]);
    }
    rate += (((requests.length - before) / defaults.interval) * 1000) / (scope === 'cluster' ? nodeCount : 1);
  }
  const cached = ['versions', 'versions', 'graphs'];
  return rate + cached.length / 300;
}

describe('with all collectors', () => {
  it.each([
    [20, 2],
    [200, 5.5],
    // From the first poll, which costs a little more.
    [10_000, 6],
  ])('%i graphs cost at most %d calls a second and node', async (graphCount, most) => {
    expect(await callRate(graphCount)).toBeLessThanOrEqual(most);
  });

  it('200 graphs are capped, with the number of the others and one log line for each limit', async () => {
    const clock = new FakeClock();
    const options = { nodes: nodeCount, graphs: graphNames(200), extraTypes };
    const cluster = await startInMemoryCluster(clock, () => 2, options);
    const every = Object.fromEntries(polled.map(({ name }) => [name, { enabled: true }]));
    const { log, get, stop } = await startInMemoryApp({ clock, cluster }, every, { statements });
    await clock.advance(8000);
    const { families } = pageOf(await get('/metrics'));
    await stop();
    const outcomes = families.get('graphwarden_collector_success')?.samples ?? [];
    expect(new Set(outcomes.map(({ labels }) => labels.collector))).toEqual(new Set(polled.map(({ name }) => name)));
    expect(outcomes.filter(({ value }) => value !== 1)).toEqual([]);
    const uncounted = (name: string) => families.get(name)?.samples.map(({ value }) => value);
    expect(uncounted('graphdb_schema_uncounted_graphs')).toEqual([100]);
    expect(uncounted('graphdb_endpoint_uncounted_graphs')).toEqual([100, 100, 100]);
    expect(uncounted('graphdb_schema_version_uncounted_graphs')).toEqual([170, 170, 170]);
    const lines = log.lines.filter(({ message }) => message === 'collector limit reached');
    const targets = lines.map(({ fields }) => `${String(fields?.metric)} ${String(fields?.node)}`);
    expect(targets).toContain('graphdb_schema_uncounted_graphs ');
    expect(targets).toContain('graphdb_endpoint_uncounted_graphs m3');
    expect(new Set(targets).size).toBe(targets.length);
  });
});
