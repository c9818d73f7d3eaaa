import { expect, it, onTestFinished } from 'vitest';
import { readJson } from '../support/http.ts';
import { firing, outcomesOf } from './guard-readers.ts';
import { abortCalls, openStage, type Stage } from './guard-stage.ts';
import { openProxy } from './node-proxy.ts';

const guard = {
  mode: 'enforce',
  policies: [{ name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 20s' }, grace: '5s' }],
};
const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 3_600_000, timeout: 3_600_000 };

interface Liar extends Stage {
  /** Aborts that were answered, and not handed on. */
  readonly answered: string[];
}

/** A server that says that it aborts a query, and lets it go on. */
async function openLiar(says: (id: string) => readonly string[]): Promise<Liar> {
  const answered: string[] = [];
  let to = '';
  const proxy = await openProxy((path) => {
    const [, id] = /abortquery.*requestid=([^&]*)/.exec(path) ?? [];
    if (id === undefined) return { to };
    answered.push(id);
    const named = says(id).map((requestid) => ({ requestid, url: '/query/fraud/ring_scan' }));
    return { says: { error: false, message: '', results: [{ aborted_queries: named }] } };
  });
  onTestFinished(() => proxy.close());
  const stage = await openStage({
    guard,
    place: (nodes) => {
      to = nodes[0]?.url ?? '';
      return nodes.map(({ name, instance }) => ({ name, instance, url: proxy.url }));
    },
  });
  onTestFinished(() => stage.stop());
  return { ...stage, answered };
}

it('a query that goes on after its abort is still running, and somebody is told', async () => {
  const stage = await openLiar((id) => [id]);
  const query = stage.simulator.control.startQuery(order);
  await stage.run(120_000);
  expect(stage.answered).toEqual([query?.requestId]);
  expect(await outcomesOf(stage)).toEqual(['still_running']);
  expect(await firing(stage)).toContain('abort_unconfirmed');
  expect(stage.simulator.truth().nodes[0]?.running.map(({ requestId }) => requestId)).toContain(query?.requestId);
});

it('a server that aborts nothing is taken at its word', async () => {
  const stage = await openLiar(() => []);
  stage.simulator.control.startQuery(order);
  await stage.run(120_000);
  expect(stage.answered).toHaveLength(1);
  expect(await outcomesOf(stage)).toEqual(['not_aborted']);
  expect(await firing(stage)).not.toContain('abort_unconfirmed');
});

it('a server that names another query stops the guard', async () => {
  const stage = await openLiar((id) => [id, id.replace(/^\d+/, '7')]);
  stage.simulator.control.startQuery(order);
  stage.simulator.control.startQuery({ ...order, query: 'ring_of_others' });
  await stage.run(120_000);
  expect(stage.answered).toHaveLength(1);
  expect(await readJson(`${stage.warden().url}/api/v1/guard`)).toMatchObject({
    paused: true,
    reasons: ['unexpected_id'],
  });
  expect(await firing(stage)).toContain('guard_paused');
});

it.each([
  ['for good', undefined, 'unknown', true],
  ['for a while', 10_000, 'confirmed', false],
] as const)('a node that goes away %s right after an abort', async (_, after, outcome, pages) => {
  const stage = await openStage({ guard });
  onTestFinished(() => stage.stop());
  const { control } = stage.simulator;
  control.startQuery(order);
  for (let steps = 0; stage.simulator.aborts().length === 0; steps += 1) {
    expect(steps).toBeLessThan(10_000);
    await stage.run(10);
  }
  await stage.run(100);
  await stage.clock.through(control.stopNode('m1'));
  if (after !== undefined) {
    await stage.run(after);
    await stage.clock.through(control.startNode('m1'));
  }
  await stage.run(60_000);
  expect(abortCalls(stage.simulator)).toHaveLength(1);
  expect(await outcomesOf(stage)).toEqual([outcome]);
  expect((await firing(stage)).includes('abort_unconfirmed')).toBe(pages);
});
