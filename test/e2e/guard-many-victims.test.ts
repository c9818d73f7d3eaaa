import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { readJson } from '../support/http.ts';
import { startGuardEnvironment } from './guard-environment.ts';

const guard = {
  mode: 'enforce',
  budgets: { per_node: { max: 100, within: '10m' }, per_cluster: { max: 100, within: '10m' } },
  policies: [
    {
      name: 'runaway',
      mode: 'enforce',
      when: { query: 'ring_*', age: '> 20s' },
      victims: { max: 100 },
      grace: '5s',
      cooldown: '0s',
    },
  ],
};
const victims = 20;
const decided = z.object({ items: z.array(z.object({ id: z.string(), outcome: z.string().nullable() })) });

/** A response to an abort takes so long; everything else takes a millisecond. */
function slowAborts(answer: number): (url: string) => number {
  let calls = 0;
  return (url) => {
    if (!url.includes('/abortquery')) return 1;
    calls += 1;
    return calls % 2 === 1 ? 1 : answer;
  };
}

it.each([30, 150, 400, 5000])(
  'guard aborts many victims one after the other, with correct outcomes, if a response takes %d ms',
  async (answer) => {
    const environment = await startGuardEnvironment({ guard, wayOf: slowAborts(answer) });
    onTestFinished(() => environment.stop());
    const { simulator } = environment;
    const started = Array.from({ length: victims }, (_, index) =>
      simulator.control.startQuery({
        node: 'm1',
        graph: 'fraud',
        query: `ring_${index}`,
        runsFor: 900_000,
        timeout: 900_000,
      }),
    );
    await environment.run(40_000 + victims * (answer + 2500));
    const ids = started.map((query) => query?.requestId ?? '');
    const aborted = simulator.aborts().map(({ requestId }) => requestId);
    expect(aborted.toSorted()).toEqual(ids.toSorted());
    const { items } = decided.parse(await readJson(`${environment.daemon().url}/api/v1/guard/decisions?limit=1000`));
    const unsent = items.filter(({ outcome }) => outcome === 'not_sent' || outcome === 'withdrawn');
    const sent = items.filter((one) => !unsent.includes(one));
    expect(sent.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(new Set(sent.map(({ outcome }) => outcome))).toEqual(new Set(['confirmed']));
    const lists = simulator.calls().flatMap(({ path, at }) => (path.includes('showprocesslistall') ? [at] : []));
    const gaps = lists.slice(1).map((at, index) => at - (lists[index] ?? at));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(30_000);
  },
);
