import { expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../src/simulator/seeded-random.ts';
import { casesOfRun, itInShortForm } from '../support/campaign.ts';
import { abortCalls, startEnvironment } from './guard-environment.ts';
import { openProxy } from './node-proxy.ts';

const guard = {
  mode: 'enforce',
  policies: [{ name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 20s' }, grace: '5s' }],
};

/** Returns the node, of two, to which a proxy forwards the nth request. */
const manners: readonly (readonly [string, () => (count: number) => number])[] = [
  ['in turns', () => (count) => count % 2],
  [
    'by chance',
    () => {
      const random = seededRandom(5);
      return () => Math.floor(random.next() * 2);
    },
  ],
  ['always the same one', () => () => 0],
  ['for a while the one and then the other', () => (count) => Math.floor(count / 40) % 2],
];
const cells = manners.flatMap(([name, manner]) => [true, false].map((isNamed) => [name, isNamed, manner] as const));

// The short form has each manner once, with named instances and without in turn.
const short = cells.filter(([, isNamed], index) => isNamed === index % 4 < 2);

it.each(casesOfRun(cells, (cell) => short.includes(cell)))(
  'guard sends no abort through a proxy, node selection: %s, configured instances: %s',
  async (_, isNamed, manner) => {
    let urls: readonly string[] = [];
    const pick = manner();
    let count = -1;
    const proxy = await openProxy(() => {
      count += 1;
      return { to: urls[pick(count)] ?? '' };
    });
    onTestFinished(() => proxy.close());
    const environment = await startEnvironment({
      simulated: { nodes: 2 },
      guard,
      nodesOf: (nodes) => {
        urls = nodes.map(({ url }) => url);
        // Two names of one address: the same URL twice is a configuration error.
        const otherUrl = proxy.url.replace('127.0.0.1', 'localhost');
        return nodes.map(({ name, instance }, at) => {
          return { name, url: at === 0 ? proxy.url : otherUrl, ...(isNamed && { instance }) };
        });
      },
    });
    onTestFinished(() => environment.stop());
    for (const node of ['m1', 'm2']) {
      const order = { node, graph: 'fraud', query: 'ring_scan', runsFor: 3_600_000, timeout: 3_600_000 };
      for (let at = 0; at < 3; at += 1) environment.simulator.control.startQuery(order);
    }
    await environment.run(120_000);
    expect(count).toBeGreaterThan(60);
    expect(abortCalls(environment.simulator)).toEqual([]);
    expect(environment.simulator.aborts()).toEqual([]);
    const page = await environment.daemon().page();
    for (const node of ['m1', 'm2']) {
      expect(page.value('graphwarden_guard_node_covered', { cluster_name: 'prod', node })).toBe(0);
    }
  },
);

itInShortForm('behind proxies of their own the nodes are guarded', async () => {
  const proxies = await Promise.all([0, 1].map((index) => openProxy(() => ({ to: urls[index] ?? '' }))));
  let urls: readonly string[] = [];
  onTestFinished(async () => {
    for (const proxy of proxies) await proxy.close();
  });
  const environment = await startEnvironment({
    simulated: { nodes: 2 },
    guard,
    nodesOf: (nodes) => {
      urls = nodes.map(({ url }) => url);
      return nodes.map(({ name }, index) => ({ name, url: proxies[index]?.url ?? '' }));
    },
  });
  onTestFinished(() => environment.stop());
  const order = { node: 'm2', graph: 'fraud', query: 'ring_scan', runsFor: 3_600_000, timeout: 3_600_000 };
  const query = environment.simulator.control.startQuery(order);
  await environment.run(60_000);
  expect(environment.simulator.aborts()).toMatchObject([{ node: 'm2', requestId: query?.requestId }]);
  expect((await environment.daemon().page()).text).toContain(
    'graphwarden_guard_node_covered{cluster_name="prod",node="m2"} 1',
  );
});

itInShortForm('behind a proxy that closes each connection, the guard reports that it cannot act', async () => {
  let url = '';
  const proxy = await openProxy(() => ({ to: url }), { keepsAlive: false });
  onTestFinished(() => proxy.close());
  const environment = await startEnvironment({
    simulated: { nodes: 1 },
    guard,
    nodesOf: ([node]) => {
      url = node?.url ?? '';
      return [{ name: 'm1', url: proxy.url }];
    },
  });
  onTestFinished(() => environment.stop());
  environment.simulator.control.startQuery({
    node: 'm1',
    graph: 'fraud',
    query: 'ring_scan',
    runsFor: 3_600_000,
    timeout: 3_600_000,
  });
  await environment.run(60_000);
  expect(environment.simulator.aborts()).toEqual([]);
  const { text } = await environment.daemon().page();
  expect(text).toMatch(/^graphwarden_guard_ready\{.*node="m1",reason="connection_closed"\} 0$/m);
});
