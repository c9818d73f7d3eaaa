import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { probeSchema } from '../../../src/api/probes.ts';
import { probeListRoute } from '../../../src/app/api/probe-list-route.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { ProbeHistory } from '../../../src/app/poll/probe-history.ts';
import { LatestResults } from '../../../src/collect/latest-results.ts';
import type { PollResult } from '../../../src/collect/poll-runner.ts';
import type { ProbeRun } from '../../../src/collect/probes/probe.ts';
import { probesSection } from '../../../src/collect/probes/settings.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { createRouteDependencies } from '../fake-route-dependencies.ts';
import { clusterOf, configOf, sendRequest, testbed } from '../fakes.ts';

const minute = 60_000;
const at = { wall: Date.parse('2026-01-31T12:00:00Z'), mono: 0 };
const probes = probesSection.parse([
  { name: 'ring', graph: 'fraud', installed_query: { query: 'ring_scan' }, assert: { max_latency: '2s' } },
  { name: 'each', graph: 'social', vertex: { type: 'Account', id: 'secret-id' }, nodes: 'all' },
]);

function runOf(failed?: ProbeRun['failure']): ProbeRun {
  return { failure: failed, duration: 250, phases: { queue: 0, response: 240 }, visibility: [], resultAge: 42_000 };
}

/** Two clusters, of which the first has run its probes; `age` ago. */
async function setUp(results: Readonly<Record<string, PollResult['result']>>, age = 0) {
  const config = { ...configOf([clusterOf('prod', ['m1', 'm2']), clusterOf('test', ['m1'])]), probes };
  const { pipeline } = await createRouteDependencies(config, testbed());
  const [board, history] = [new LatestResults(), new ProbeHistory()];
  for (const { feed } of pipeline.feeds()) {
    const result = feed.cluster === 'prod' ? results[`${feed.definition.probe?.name}@${feed.node}`] : undefined;
    if (result === undefined) continue;
    const poll = { result, source: feed.node || 'm2', started: at, ended: at };
    board.record(feed, poll, 3 * minute);
    history.onPollResult(feed, poll);
  }
  const clock = { ...testbed().ports.clock, now: () => ({ wall: at.wall + age, mono: at.mono + age }) };
  const scheduler = { nextRun: () => at.wall + minute, runScheduled: () => 'none' as const };
  const known = { cluster: { values: () => ['prod', 'test'] }, node: { values: () => ['m1', 'm2'] } };
  const route = probeListRoute({ pipeline, board, probes: history, scheduler, ports: { clock } }, known);
  const handler = createHandler([route], () => '');
  return async (query = '') => {
    const { status, body } = await sendRequest(handler, `/api/v1/probes?limit=100${query}`);
    return { status, answer: JSON.parse(body) };
  };
}

const list = z.object({ items: z.array(probeSchema) });

describe('GET /api/v1/probes', () => {
  it('lists each probe with its last run, its objective and its next run', async () => {
    const request = await setUp({ 'ring@': ok(runOf()) });
    const { items } = list.parse((await request()).answer);
    expect(items.map(({ cluster, probe, node, state }) => [cluster, probe, node, state].join(' '))).toEqual([
      'prod ring  healthy',
      'prod each m1 unknown',
      'prod each m2 unknown',
      'test ring  unknown',
      'test each m1 unknown',
    ]);
    expect(items[0]).toEqual({
      cluster: 'prod',
      probe: 'ring',
      kind: 'installed_query',
      graph: 'fraud',
      node: '',
      source: 'm2',
      state: 'healthy',
      reason: '',
      message: '',
      advice: '',
      lastRun: '2026-01-31T12:00:00.000Z',
      validUntil: '2026-01-31T12:03:00.000Z',
      durationSeconds: 0.25,
      limitSeconds: 2,
      phases: { queue: 0, response: 0.24 },
      resultAgeSeconds: 42,
      objective: 0.99,
      windowSeconds: 3600,
      successRatio: 1,
      runs: 1,
      failures: 0,
      nextRun: '2026-01-31T12:01:00.000Z',
    });
    expect(items[1]).toMatchObject({ source: '', lastRun: null, validUntil: null, phases: {}, successRatio: null });
  });

  it('reports the failure and a remedy, also if the process could not finish the run', async () => {
    const count = { reason: 'count', message: "'0.rings' has 0 entries, fewer than min (1)" } as const;
    const request = await setUp({ 'ring@': ok(runOf(count)), 'each@m1': err(failure('timeout', 'no poll result')) });
    const [ring, each] = list.parse((await request('&state=failing')).answer).items;
    expect(ring).toMatchObject({ ...count, advice: expect.stringContaining('correct assert.count'), failures: 1 });
    expect(each).toMatchObject({ reason: 'timeout', message: 'no poll result', successRatio: 0, durationSeconds: 0 });
    expect(JSON.stringify([ring, each])).not.toContain('secret-id');
  });

  it('reports an old result as unknown', async () => {
    const request = await setUp(
      { 'ring@': ok(runOf()), 'each@m1': ok(runOf({ reason: 'auth', message: 'no' })) },
      3 * minute,
    );
    const { items } = list.parse((await request('&cluster=prod')).answer);
    expect(items.map(({ state, reason }) => [state, reason])).toEqual([
      ['unknown', ''],
      ['unknown', 'auth'],
      ['unknown', ''],
    ]);
  });

  it('filters by parameters, and names the known values for an unknown one', async () => {
    const request = await setUp({});
    const total = async (query: string) => (await request(query)).answer.total;
    expect(await total('&probe=each&node=m1')).toBe(2);
    expect(await total('&kind=vertex&graph=social&cluster=prod')).toBe(2);
    expect(await total('&kind=all_paths')).toBe(0);
    expect((await request('&probe=rign')).answer.detail).toBe(
      "There is no probe 'rign'. Did you mean 'ring'? Known: each, ring.",
    );
    expect((await request('&graph=frad')).answer.detail).toContain("Did you mean 'fraud'?");
    expect((await request('&cluster=other')).answer.detail).toContain('Known: prod, test.');
    expect((await request('&node=m9')).status).toBe(400);
    expect((await request('&state=green')).status).toBe(400);
  });
});
