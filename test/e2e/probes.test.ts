import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { startDaemon } from '../support/daemon.ts';
import { send } from '../support/http.ts';
import { pageOf } from '../support/in-process-daemon.ts';

const secret = 'a-secret-id';
const account = { type: 'Account', id: secret };
const ends = { sources: [account], targets: [{ type: 'Account', id: 'b' }] };

/** One probe of each kind that succeeds. */
const kinds = {
  get_query: {
    installed_query: { query: 'data_age', parameters: { account, ids: [secret] }, replica: 1 },
    assert: { count: { path: '0.@@newest', min: 3 }, values: [{ path: '0.@@newest.0.type', equals: 'Account' }] },
  },
  post_query: { installed_query: { query: 'data_age', method: 'post', parameters: { m: { map: { a: secret } } } } },
  interpreted: {
    interpreted_query: { statement: 'INTERPRET QUERY () FOR GRAPH fraud { PRINT 1 AS vertices; }' },
    assert: { values: [{ path: '0.vertices', min: 1 }] },
  },
  template: {
    template_query: { template: 'GDBMS_ALGO.centrality.pagerank' },
    assert: { count: { path: '0.top_scores', min: 3 } },
  },
  vertex: { vertex: account, assert: { count: { min: 1 }, age: { path: '0.attributes.updated_at', max: '1h' } } },
  edges: {
    edges: { source_type: 'Account', source_id: secret, edge_type: 'transfers', limit: 2 },
    assert: { count: { min: 2, max: 2 } },
  },
  shortest: { shortest_path: ends, assert: { count: { min: 1 } } },
  paths: { all_paths: { ...ends, max_length: 2 }, assert: { count: { path: '0.vertices', min: 2 } } },
  heartbeat: { write_heartbeat: {} },
};
const names = Object.keys(kinds);

async function setUp(entries: Readonly<Record<string, object>>) {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const cluster = {
    name: 'prod',
    graphs: ['fraud'],
    nodes: simulator.nodes.map(({ name, url }) => ({ name, url })),
    read_auth: { basic: { username: 'monitor', password: 'simulated' } },
  };
  const config = {
    listen: '127.0.0.1:0',
    log: { level: 'debug' },
    clusters: [cluster],
    probes: Object.entries(entries).map(([name, entry]) => ({
      name,
      graph: 'fraud',
      interval: '10s',
      timeout: '10s',
      ...entry,
    })),
  };
  const daemon = await startDaemon(stringify(config));
  const page = async () => pageOf((await send(`${daemon.url}/metrics`)).text);
  const run = async (query: string) => pageOf((await send(`${daemon.url}/probe?${query}`)).text);
  return { simulator, daemon, page, run };
}

describe('probes of a daemon', () => {
  it('of each kind succeed, without ids and parameters in metrics', async () => {
    const { daemon, page, simulator } = await setUp(kinds);
    // On a busy machine, a run may exceed its timeout.
    const now = await eventually('each probe succeeds', async () => {
      const shown = await page();
      return names.every((probe) => shown.value('graphdb_probe_success', { probe }) === 1) && shown;
    });
    const failing = now.families.get('graphdb_probe_failing')?.samples.map(({ labels }) => labels) ?? [];
    expect(failing).toEqual([]);
    expect(now.value('graphdb_probe_visible_after_seconds', { probe: 'heartbeat', reader: 'm2' })).toBeGreaterThan(0);
    expect(now.value('graphdb_probe_result_age_seconds', { probe: 'vertex' })).toBeGreaterThanOrEqual(42);
    expect((await send(`${daemon.url}/metrics`)).text).not.toContain(secret);
    await eventually('the row is deleted', async () => simulator.control.remainingRows() === 0);
    const counted = await eventually('the runs are counted', async () => {
      const shown = await page();
      return shown.value('graphdb_probe_success_ratio', { probe: 'vertex' }) !== undefined && shown;
    });
    expect(counted.value('graphdb_probe_runs_total', { probe: 'vertex', result: 'success' })).toBeGreaterThan(0);
  });

  it('that fail are facts: other probes continue, and the collector is healthy', async () => {
    const { page } = await setUp({
      vertex: kinds.vertex,
      absent: { vertex: { type: 'Account', id: 'missing' } },
      few: { ...kinds.edges, assert: { count: { min: 9 } } },
      unknown: { installed_query: { query: 'nothing' } },
    });
    const now = await eventually('each probe has run', async () => {
      const shown = await page();
      const probes = ['vertex', 'absent', 'few', 'unknown'];
      return probes.every((probe) => shown.value('graphdb_probe_success', { probe }) !== undefined) && shown;
    });
    expect(now.value('graphdb_probe_success', { probe: 'vertex' })).toBe(1);
    expect(now.value('graphdb_probe_failing', { probe: 'absent', reason: 'body' })).toBe(1);
    expect(now.value('graphdb_probe_failing', { probe: 'few', reason: 'count' })).toBe(1);
    expect(now.value('graphdb_probe_failing', { probe: 'unknown', reason: 'unsupported' })).toBe(1);
    expect(now.value('graphwarden_collector_success', { collector: 'probe_few' })).toBe(1);
  });
});

describe('/probe with a module', () => {
  it('runs one probe on the target, without an effect on /metrics', async () => {
    const hourly = { interval: '1h' };
    const { daemon, page, run, simulator } = await setUp({
      vertex: { ...kinds.vertex, ...hourly },
      few: { ...kinds.edges, assert: { count: { min: 9 } }, ...hourly },
      heartbeat: { ...kinds.heartbeat, ...hourly },
    });
    const runs = async () => (await page()).value('graphdb_probe_runs_total', { probe: 'vertex', result: 'success' });
    await eventually('the probe has run', async () => (await runs()) === 1);
    const good = await run('module=vertex&target=prod/m2');
    expect(good.value('probe_success')).toBe(1);
    expect(good.value('graphdb_probe_success', { probe: 'vertex' })).toBe(1);
    expect((await run('module=few&target=prod')).value('probe_success')).toBe(0);
    simulator.control.delayRows('m2', 150);
    const heartbeat = '/probe?module=heartbeat&target=prod/m1';
    // It writes: a client without a user may not start it.
    expect((await send(daemon.url + heartbeat)).status).toBe(403);
    const socketPath = join(daemon.folder, 'state', 'control.sock');
    const delayed = pageOf((await send(`http://localhost${heartbeat}`, { socketPath })).text);
    const after = { probe: 'heartbeat', reader: 'm2' };
    expect(delayed.value('graphdb_probe_visible_after_seconds', after)).toBeGreaterThanOrEqual(0.15);
    expect(simulator.control.remainingRows()).toBe(0);
    expect(await runs()).toBe(1);
  });
});
