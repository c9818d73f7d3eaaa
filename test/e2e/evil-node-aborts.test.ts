import { expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/child.ts';
import { readJson } from '../support/http.ts';
import { startEvilCluster } from './evil-cluster.ts';
import { evilBehaviours } from './evil-replies.ts';
import { abortCalls } from './guard-environment.ts';

/** The daemon aborts runaway queries of all nodes. */
const guard = {
  mode: 'enforce',
  budgets: { per_node: { max: 1000, within: '1h' }, per_cluster: { max: 1000, within: '1h' } },
  policies: [
    {
      name: 'runaway',
      mode: 'enforce',
      when: { query: 'runaway_*', age: '> 3s' },
      grace: '2s',
      confirm: { observations: 2, apart: '1s' },
      victims: { max: 9 },
      cooldown: '0s',
    },
  ],
};
/** Outcomes on a busy machine, on which an abort may come too late for its list: the guard decides again. */
const decidedAgain: readonly (string | null)[] = ['not_sent', 'withdrawn'];
const decisions = z.object({ items: z.array(z.object({ id: z.string(), outcome: z.string().nullable() })) });

/** Behaviours that cost the daemon or the guard the most. */
const chosen = [
  'lists nested 9,000 deep',
  '8,000,000 empty objects',
  '150,000 queries',
  'the same id 50,000 times',
  'identities that never repeat',
  'a body without end',
  'chunks of one byte',
  '300,000 series',
];
/** Collectors at whose replies these behaviours aim. The daemon polls the node with all others as well, as always. */
const probed = ['queries', 'services', 'metrics'];

it('the guard aborts the runaway queries of other nodes while a node answers with hostile replies', async () => {
  const { daemon, simulator, become, probe } = await startEvilCluster({ guard });
  const behaviours = evilBehaviours.filter(([name]) => chosen.includes(name));
  expect(behaviours).toHaveLength(chosen.length);
  const runaways: (string | undefined)[] = [];
  for (const [at, [, behaviour]] of behaviours.entries()) {
    become(behaviour);
    const order = { node: at % 2 === 0 ? 'm1' : 'm2', graph: 'fraud', query: `runaway_${at}` };
    runaways.push(simulator.control.startQuery({ ...order, runsFor: 3_600_000, timeout: 3_600_000 })?.requestId);
    await probe('evil', probed);
  }
  const sent = async () => {
    const { items } = decisions.parse(await readJson(`${daemon.url}/api/v1/guard/decisions?limit=1000`));
    return items.filter(({ outcome }) => !decidedAgain.includes(outcome));
  };
  const isOver = async (): Promise<boolean> => {
    const items = await sent();
    return items.length >= runaways.length && items.every(({ outcome }) => outcome !== null);
  };
  await eventually('each runaway query has an outcome', isOver, 400_000);
  const expected = runaways.map((id) => `${id} confirmed`).toSorted();
  expect((await sent()).map(({ id, outcome }) => `${id} ${outcome}`).toSorted()).toEqual(expected);
  expect(abortCalls(simulator)).toHaveLength(runaways.length);
}, 600_000);
