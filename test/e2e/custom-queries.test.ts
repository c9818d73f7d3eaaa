import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { startDaemon } from '../support/daemon.ts';
import { readExposition } from '../support/exposition.ts';
import { send } from '../support/http.ts';
import { pageOf } from '../support/in-process-daemon.ts';

const packs = readdirSync('config/queries').flatMap(
  (name) =>
    z
      .object({ custom: z.array(z.looseObject({ name: z.string() })) })
      .parse(parse(readFileSync(`config/queries/${name}`, 'utf8'))).custom,
);
const names = packs.map(({ name }) => name);

/** A daemon over two simulated nodes that runs these queries as often as it may. */
async function setUp(custom: readonly object[]) {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
  const config = (entries: readonly object[]): string =>
    stringify({
      listen: '127.0.0.1:0',
      clusters: [
        {
          name: 'prod',
          graphs: ['fraud'],
          nodes,
          // The GSQL server requires a user, and accepts any.
          read_auth: { basic: { username: 'monitor', password: 'simulated' } },
        },
      ],
      custom: entries.map((entry) => ({ ...entry, interval: '10s', timeout: '10s' })),
    });
  const daemon = await startDaemon(config(custom));
  return { daemon, config, page: async () => pageOf((await send(`${daemon.url}/metrics`)).text) };
}

const collector = (name: string) => ({ collector: `custom_${name}` });

it('custom queries are on /metrics in both formats, and are removed with their definitions', async () => {
  const { daemon, config, page } = await setUp(packs);
  const all = await eventually('each query succeeded', async () => {
    const now = await page();
    return names.every((name) => now.value('graphwarden_collector_success', collector(name)) === 1) && now;
  });
  expect(all.value('graph_data_age_seconds', { graph: 'fraud', type: 'Account' })).toBe(42);
  expect(all.value('graph_degree_outliers', { type: 'Person' })).toBeGreaterThan(0);
  expect(all.value('graph_orphan_vertices', { type: 'Account' })).toBeGreaterThan(0);
  expect(all.value('graph_vertices', { cluster_name: 'prod', graph: 'fraud' })).toBeGreaterThan(0);

  const accept = 'application/openmetrics-text;version=1.0.0';
  const { text } = await send(`${daemon.url}/metrics`, { headers: { accept } });
  expect(readExposition(text, 'openmetrics').get('graph_data_age_seconds')?.samples).toHaveLength(3);

  expect(await daemon.reload(config(packs.filter(({ name }) => name !== 'data_age')))).toBe(200);
  const later = await eventually('the metrics of the removed query are gone', async () => {
    const now = await page();
    return !now.families.has('graph_data_age_seconds') && now;
  });
  expect(later.families.has('graph_vertices')).toBe(true);
});

it('a mistake in a custom query fails this query alone', async () => {
  const metrics = [{ name: 'graph_newest', help: 'Age.', value: 'age', labels: { type: 'type' } }];
  const wrong = { name: 'wrong', graph: 'fraud', query: 'data_age', rows: '0.@@newest', metrics };
  const { page } = await setUp([...packs, wrong]);
  const now = await eventually('each query ran', async () => {
    const shown = await page();
    const results = [...names, 'wrong'].map((name) => shown.value('graphwarden_collector_success', collector(name)));
    return results.every((result) => result !== undefined) && results.includes(1) && shown;
  });
  expect(now.value('graphwarden_collector_success', collector('wrong'))).toBe(0);
  expect(now.families.has('graph_newest')).toBe(false);
  const others = names.map((name) => now.value('graphwarden_collector_success', collector(name)));
  expect(others).toEqual(names.map(() => 1));
});
