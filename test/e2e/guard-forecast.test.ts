import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageSchema } from '../../src/api/fields.ts';
import { querySchema } from '../../src/api/queries.ts';
import { queryTable } from '../../src/cli/commands/queries.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';

/** Value that a client wrote into the URL of its query, and that no output may contain. */
const secrets = 'canary-9b1f44c07e';
/** On a busy machine lists are slow, and slow lists are requested less often. */
const timeout = 40_000;
const endpoints = ['/', '/metrics', '/docs/metrics', '/api/v1/queries', '/api/v1/collectors', '/api/v1/alerts'];

const guard = {
  mode: 'enforce',
  protect: [{ query: 'pagerank' }],
  policies: [
    {
      name: 'runaway',
      when: { age: '> 3s', granted_timeout: '> 1m', params: { customer: 'canary-*' } },
      confirm: { observations: 2, apart: '1s' },
      grace: '5s',
    },
  ],
};

/** A node with its instance in the configuration, one without, and a query that runs away on the first. */
describe('a runaway query', () => {
  let simulator: Simulator;
  let daemon: InProcessDaemon;
  let runaway: string;

  beforeAll(async () => {
    simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
    const [first, second] = simulator.nodes;
    if (first === undefined || second === undefined) throw new Error('no nodes');
    const order = { graph: 'fraud', runsFor: 300_000, timeout: 600_000, parameters: `customer=${secrets}` };
    runaway = simulator.control.startQuery({ ...order, node: first.name, query: 'ring_scan' })?.requestId ?? '';
    simulator.control.startQuery({ ...order, node: first.name, query: 'pagerank' });
    daemon = await startInProcessDaemon({
      clusters: [
        {
          name: 'prod',
          nodes: [
            { name: first.name, url: first.url, instance: first.instance },
            { name: second.name, url: second.url },
          ],
        },
      ],
      collectors: { queries: { interval: '1s', timeout: '1s' } },
      guard,
    });
  });

  afterAll(async () => {
    await daemon.stop();
    await simulator.close();
  });

  async function listed(filter = '') {
    const { text } = await send(`${daemon.url}/api/v1/queries?limit=1000${filter}`);
    return pageSchema(querySchema).parse(JSON.parse(text));
  }

  it('is listed with its policy when it matches, and a protected query without one', async () => {
    const matched = await eventually(
      'it matches',
      async () => {
        const { items } = await listed('&policy=runaway');
        return items.find(({ matchesAt, asOf }) => Date.parse(matchesAt ?? '') < Date.parse(asOf));
      },
      timeout,
    );
    expect([matched.id, matched.protected]).toEqual([runaway, false]);
    expect(Date.parse(matched.earliestAbortAt ?? '') - Date.parse(matched.matchesAt ?? '')).toBe(5000);
    const ran = Date.parse(matched.asOf) - Date.parse(matched.matchesAt ?? '');
    expect((matched.ageSeconds ?? 0) * 1000 - ran).toBeGreaterThanOrEqual(2900);
    const { items, total } = await listed();
    expect(items.filter(({ query }) => query === 'pagerank').map((one) => [one.policy, one.protected])).toContainEqual([
      null,
      true,
    ]);
    expect(queryTable(items, total)).toMatch(/ring_scan +m1 +\d+\.RESTPP_1_1\.\S+ +runaway: would abort in \d:\d\d /);
  });

  it('is counted, and is in the histogram after its end', async () => {
    const labels = { cluster_name: 'prod', node: simulator.nodes[0]?.name ?? '' };
    const page = await eventually(
      'the page counts the match on a covered node',
      async () => {
        const shown = await daemon.page();
        const matches = shown.value('graphwarden_guard_matches_total', { ...labels, policy: 'runaway' });
        return matches === 1 && shown.value('graphwarden_guard_node_covered', labels) === 1 && shown;
      },
      timeout,
    );
    expect(page.value('graphwarden_guard_mode', { cluster_name: 'prod', mode: 'observe' })).toBe(1);
    expect(page.value('graphwarden_guard_mode', { cluster_name: 'prod', mode: 'enforce' })).toBe(0);
    // It ran for too short a time to have a name there.
    const reported = { ...labels, graph: '', query: 'other', outcome: 'ended' };
    const before = page.value('graphdb_long_query_duration_seconds_sum', reported) ?? 0;
    simulator.control.abortQuery(labels.node, runaway);
    await eventually('it is in the histogram', async () => {
      const after = (await daemon.page()).value('graphdb_long_query_duration_seconds_sum', reported);
      return (after ?? 0) - before > 3;
    });
  });

  it('shows no value that its client wrote, and causes no abort request', async () => {
    const replies = await Promise.all(endpoints.map((path) => send(daemon.url + path)));
    expect(replies.map(({ status }) => status)).toEqual(endpoints.map(() => 200));
    expect([...replies.map(({ text }) => text), JSON.stringify(daemon.log)].join('\n')).not.toContain(secrets);
    expect(simulator.calls().filter(({ path }) => path.includes('abort'))).toEqual([]);
  });
});
