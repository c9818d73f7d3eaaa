import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createGuard, reconfigureGuard, targetsNoMoreQueries } from '../../../src/guard/decision/create-guard.ts';
import { pinnedInstance } from '../../../src/guard/instances.ts';
import type { GateSource, GuardSettings, Policy } from '../../../src/guard/policy.ts';
import { bound, globs, policyOf } from '../match-inputs.ts';
import { entryOf, idAt, listAt } from '../observations.ts';
import { GuardSimulation, settingsOf } from './guard-simulation.ts';

const minute = 60_000;
const strict = { observations: 20, apart: 5000 };
const never = { wall: 0, mono: 0 };

/** One runaway that reaches its minute, at which a policy with 30 s of grace matches. */
function runaway(): GuardSimulation {
  const simulation = new GuardSimulation(settingsOf([policyOf()])).begin();
  simulation.start();
  return simulation;
}

/** A policy whose gate has these sources; without a gate if there is none. */
function gated(...sources: readonly GateSource[]): Policy {
  if (sources.length === 0) return policyOf();
  const clauses = sources.map((source) => ({ source, bound: bound('> 1'), for: 0 }));
  return policyOf(undefined, { gate: { needs: 'any', clauses } });
}

describe('reconfigured guard', () => {
  it('adds and removes nodes, and keeps the state of the other nodes', () => {
    const simulation = runaway().run(minute);
    const nodes = { cluster: 'prod', nodes: ['n1', 'n2'], instances: { n2: 'RESTPP_1_2' }, interval: 5000 };
    const next = reconfigureGuard(simulation.state, createGuard(settingsOf([policyOf()]), nodes), true);
    expect([...next.views.keys()]).toEqual(['n1', 'n2']);
    expect(next.views.get('n1')).toEqual(simulation.state.views.get('n1'));
    expect([...next.instances.nodes.keys()]).toEqual(['n2']);
    const gone = reconfigureGuard(
      next,
      createGuard(settingsOf([policyOf()]), { ...nodes, nodes: ['n2'], instances: {} }),
      true,
    );
    expect([[...gone.views.keys()], [...gone.instances.nodes.keys()]]).toEqual([['n2'], []]);
  });

  it('remembers that a configured node responded for another one, unless the new configuration assigns the instance', () => {
    const simulation = runaway().run(minute);
    const foreign = { requestid: idAt(0, 1, 'RESTPP_1_9') };
    const { received } = listAt(minute);
    simulation.send({
      kind: 'listed',
      node: 'n1',
      body: { results: [entryOf(foreign)] },
      times: listAt(minute),
      connection: 'a',
    });
    const context = { cluster: 'prod', nodes: ['n1'], interval: 5000 };
    const under = (instance: string) =>
      reconfigureGuard(
        simulation.state,
        createGuard(settingsOf([]), { ...context, instances: { n1: instance } }),
        true,
      );
    expect(pinnedInstance(simulation.state.instances, 'n1', received.mono)).toBeUndefined();
    expect(pinnedInstance(under('RESTPP_1_1').instances, 'n1', received.mono)).toBeUndefined();
    expect(pinnedInstance(under('RESTPP_1_2').instances, 'n1', received.mono)).toBe('RESTPP_1_2');
  });

  it('confirms all queries again on a node that becomes covered', () => {
    const context = { cluster: 'prod', nodes: ['n1', 'n2'], interval: 5000 };
    const unknown = { ...context, instances: { n1: 'RESTPP_1_1', n2: 'RESTPP_1_1' } };
    const simulation = new GuardSimulation(settingsOf([policyOf()]), {}, unknown).begin();
    simulation.start();
    simulation.run(minute);
    const under = (instances: Readonly<Record<string, string>>) =>
      reconfigureGuard(simulation.state, createGuard(settingsOf([policyOf()]), { ...context, instances }), true);
    expect(under(unknown.instances).views.get('n1')?.histories.size).toBe(1);
    expect(under({ n1: 'RESTPP_1_1', n2: 'RESTPP_1_2' }).views.get('n1')?.histories.size).toBe(0);
  });

  it.each<[string, readonly Policy[], number]>([
    ['the gate of its policy has its source', [gated('queue_oldest', 'queue_depth')], 1],
    ['its policy has no gate', [gated()], 0],
    ['the gate of its policy has other sources only', [gated('node_memory')], 0],
    ['its policy is removed', [policyOf(undefined, { name: 'other' })], 0],
  ])('waits for a relief check only if it can end: %s', (_, policies, expected) => {
    const { state } = runaway();
    const check = { key: 'a', policy: 'runaway', node: 'n1', before: { queue_depth: 3 }, outcomeAt: 0 };
    const guard = createGuard(settingsOf(policies), { cluster: 'prod', nodes: ['n1'], interval: 5000 });
    expect(reconfigureGuard({ ...state, reliefChecks: [check] }, guard, false).reliefChecks).toHaveLength(expected);
  });

  const [protect, other] = [{ query: globs('keep_*') }, { graph: globs('vault') }];
  const before = settingsOf([policyOf()], { protect: [protect] });

  it.each<[string, GuardSettings, boolean]>([
    ['an unchanged configuration', structuredClone(before), true],
    ['other limits', { ...before, budgets: { ...before.budgets, perNode: { max: 9, within: 1 } } }, true],
    ['more protected queries', { ...before, protect: [other, { ...protect }] }, true],
    ['other protected queries', { ...before, protect: [other] }, false],
    ['another mode', { ...before, mode: 'observe' }, false],
    ['another policy', { ...before, policies: [policyOf(undefined, { grace: 1 })] }, false],
  ])('considers %s to target no more queries than before: %s', (_, after, expected) => {
    expect(targetsNoMoreQueries(before, after, isDeepStrictEqual)).toBe(expected);
  });

  it.each([
    ['the same policies', [policyOf()], true, 1],
    [
      'a stricter policy before it',
      [policyOf(undefined, { name: 'strict', grace: 0, confirm: strict }), policyOf()],
      false,
      0,
    ],
  ] as const)(
    'with %s, continues decisions in their grace period only if the policies target no more queries',
    (_, policies, keeps, left) => {
      const simulation = runaway().run(75_000);
      const { at: now } = simulation.state;
      expect([simulation.state.decisions.size, now === undefined]).toEqual([1, false]);
      const context = { cluster: 'prod', nodes: ['n1'], instances: { n1: 'RESTPP_1_1' }, interval: 5000 };
      const guard = createGuard(settingsOf(policies), context);
      const { state, outputs } = guard.step(
        reconfigureGuard(simulation.state, guard, keeps),
        { kind: 'tick' },
        now ?? never,
      );
      expect(state.decisions.size).toBe(left);
      expect(outputs.filter(({ kind }) => kind === 'intent' || kind === 'began')).toEqual([]);
      expect(outputs.filter(({ kind }) => kind === 'cancelled')).toHaveLength(1 - left);
    },
  );
});
