import { describe, expect, it } from 'vitest';
import { evaluateClusterRules } from '../../src/alert/evaluation.ts';
import { emptyAlertingState } from '../../src/alert/incident.ts';
import { maxChangesPerStep, updateIncidents } from '../../src/alert/update-incidents.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { type FiringRules, ruleOf, settingsOf, situationOf } from './alerting-testbed.ts';
import { firingIncident } from './incident-fixture.ts';

const now = { wall: 1_790_000_000_500, mono: 90_000 };
const rules = [
  ruleOf('quick'),
  ruleOf('slow', { for: 60_000 }),
  ruleOf('urgent', { severity: 'critical' }),
  ruleOf('service_not_online'),
  ruleOf('cluster_down', { severity: 'critical' }),
  ruleOf('service_flapping'),
];

function moved(wrong: FiringRules, state = emptyAlertingState) {
  const enabled = rules.map((rule) => ({ rule, settings: settingsOf(rule) }));
  return updateIncidents(state, evaluateClusterRules(situationOf(wrong), enabled, now), digest, now);
}

function knowing(...incidents: readonly ReturnType<typeof firingIncident>[]) {
  return { ...emptyAlertingState, incidents: new Map(incidents.map((one) => [one.identityKey, one])) };
}

const m1 = { node: 'm1' };
const since = ({ incidents }: typeof emptyAlertingState) =>
  [...incidents.values()].map(({ recoveringSince }) => recoveringSince);

describe('incidents', () => {
  it('have increasing numbers that start at the time of the clock', () => {
    const { fired, state } = moved({ rules: { quick: [m1, { node: 'm2' }] } });
    expect(fired.map(({ number }) => number)).toEqual([1_790_000_000_500, 1_790_000_000_501]);
    const next = moved({ rules: { quick: [m1, { node: 'm2' }, { node: 'm3' }] } }, state);
    expect(next.fired.map(({ number }) => number)).toEqual([1_790_000_000_502]);
  });

  it('of other clusters do not change', () => {
    const other = firingIncident('quick', m1, { cluster: 'test' });
    const { state, resolved } = moved({ rules: {} }, knowing(other));
    expect(resolved).toEqual([]);
    expect(state.incidents.get(other.identityKey)).toBe(other);
  });

  it('are recovering while they are kept firing without a finding', () => {
    const kept = ruleOf('kept', { keepFiringFor: 60_000 });
    const step = (wrong: FiringRules, state: typeof emptyAlertingState, at: number) => {
      const time = { wall: now.wall + at, mono: now.mono + at };
      const enabled = [{ rule: kept, settings: settingsOf(kept) }];
      return updateIncidents(state, evaluateClusterRules(situationOf(wrong), enabled, time), digest, time).state;
    };
    const firing = step({ rules: { kept: [m1] } }, emptyAlertingState, 0);
    const recovering = step({ rules: {} }, firing, 1000);
    expect([since(firing), since(recovering)]).toEqual([[undefined], [now.wall + 1000]]);
    expect(since(step({ rules: {} }, recovering, 2000))).toEqual([now.wall + 1000]);
    expect(since(step({ rules: { kept: [m1] } }, recovering, 3000))).toEqual([undefined]);
  });

  it('are kept firing from the latest evaluation that found them, and stay the same object until then', () => {
    const kept = ruleOf('kept', { keepFiringFor: 60_000 });
    const step = (wrong: FiringRules, state: typeof emptyAlertingState, seconds: number) => {
      const time = { wall: now.wall + seconds * 1000, mono: now.mono + seconds * 1000 };
      const enabled = [{ rule: kept, settings: settingsOf(kept) }];
      return updateIncidents(state, evaluateClusterRules(situationOf(wrong), enabled, time), digest, time);
    };
    const found = { rules: { kept: [m1] } };
    const first = step(found, emptyAlertingState, 0).state;
    const later = step(found, first, 100).state;
    expect([...later.incidents.values()][0]).toBe([...first.incidents.values()][0]);
    const recovering = step({ rules: {} }, later, 110);
    const stillKept = step({ rules: {} }, recovering.state, 159);
    expect([recovering, stillKept].map(({ resolved }) => resolved.length)).toEqual([0, 0]);
    expect(step({ rules: {} }, stillKept.state, 160).resolved).toHaveLength(1);
  });

  it('count as found while the facts of their rule are stale', () => {
    const kept = ruleOf('kept', { keepFiringFor: 60_000 });
    const step = (wrong: FiringRules, state: typeof emptyAlertingState, seconds: number) => {
      const time = { wall: now.wall + seconds * 1000, mono: now.mono + seconds * 1000 };
      const enabled = [{ rule: kept, settings: settingsOf(kept) }];
      const known = evaluateClusterRules(situationOf(wrong), enabled, time);
      return updateIncidents(state, seconds < 100 ? known : { ...known, isKnown: () => seconds >= 200 }, digest, time);
    };
    const firing = step({ rules: { kept: [m1] } }, emptyAlertingState, 0).state;
    const stale = step({ rules: {} }, step({ rules: {} }, firing, 100).state, 190).state;
    const fresh = step({ rules: {} }, stale, 240);
    expect(fresh.resolved).toEqual([]);
    expect(step({ rules: {} }, fresh.state, 250).resolved).toHaveLength(1);
  });

  it('of removed rules are resolved', () => {
    expect(moved({ rules: {} }, knowing(firingIncident('gone', m1))).resolved).toHaveLength(1);
  });

  it('that end while pending are not resolved', () => {
    const pending = firingIncident('slow', m1, { phase: 'pending' });
    const { state, resolved } = moved({ rules: {} }, knowing(pending));
    expect([resolved, state.incidents.size]).toEqual([[], 0]);
  });

  it('do not end while they flap', () => {
    const replica = { service_name: 'GPE', partition: '1', replica: '2' };
    const away = firingIncident('service_not_online', replica);
    const both = knowing(away, firingIncident('service_flapping', replica));
    const flapping = moved({ rules: { service_flapping: [replica] } }, both);
    expect(flapping.resolved).toEqual([]);
    const calm = moved({ rules: {} }, flapping.state);
    expect(calm.resolved.map(({ rule }) => rule)).toEqual(['service_flapping']);
    expect(moved({ rules: {} }, calm.state).resolved.map(({ rule }) => rule)).toEqual(['service_not_online']);
  });

  /** Steps until as many incidents are pending as a cluster may have. */
  function filled(nodes: readonly { readonly node: string }[]) {
    const first = moved({ rules: { quick: nodes } });
    return Array.from({ length: 10_000 / maxChangesPerStep.all - 1 }).reduce<typeof first>(
      ({ state }) => moved({ rules: { quick: nodes } }, state),
      first,
    );
  }

  it('become pending in several steps if they are many, the most severe first', () => {
    const nodes = Array.from({ length: maxChangesPerStep.all + 1 }, (_, at) => ({ node: `m${at}` }));
    const first = moved({ rules: { slow: nodes, urgent: [m1] } });
    expect([first.state.incidents.size, first.isUnfinished]).toEqual([maxChangesPerStep.all, true]);
    expect(first.fired.map(({ rule }) => rule)).toEqual(['urgent']);
    const second = moved({ rules: { slow: nodes, urgent: [m1] } }, first.state);
    expect([second.state.incidents.size, second.isUnfinished]).toEqual([maxChangesPerStep.all + 2, false]);
  });

  it('are bounded', () => {
    const nodes = Array.from({ length: 10_500 }, (_, at) => ({ node: `m${at}` }));
    const { state, droppedCount } = filled(nodes);
    expect([state.incidents.size, droppedCount]).toEqual([10_000, 500]);
    const again = moved({ rules: { quick: nodes } }, state);
    expect([again.state.incidents.size, again.droppedCount]).toEqual([10_000, 500]);
  });

  it('are limited per cluster, and critical incidents are kept', () => {
    const nodes = Array.from({ length: 10_500 }, (_, at) => ({ node: `m${at}` }));
    const { state } = filled(nodes);
    expect(moved({ rules: { quick: [{ node: 'm1' }] }, cluster: 'other' }, state).fired).toHaveLength(1);
    const { fired } = moved({ rules: { quick: nodes, urgent: [{ node: 'm1' }] } }, state);
    expect(fired.filter(({ rule }) => rule === 'urgent')).toHaveLength(1);
  });

  describe('of which more are due than one step begins or ends', () => {
    const most = maxChangesPerStep.notified;
    const nodes = Array.from({ length: 2 * most + 1 }, (_, at) => ({ node: `m${at}` }));

    it('begin in several steps, the most severe first, with numbers in order', () => {
      const wrong = { rules: { quick: nodes, urgent: [m1] } };
      let state = emptyAlertingState;
      const numbers: number[] = [];
      const counts = [0, 1, 2, 3].map((step) => {
        const { fired, isUnfinished, ...next } = moved(wrong, state);
        if (step === 0) expect(fired[0]?.rule).toBe('urgent');
        state = next.state;
        numbers.push(...fired.map(({ number }) => number));
        return [fired.length, isUnfinished];
      });
      expect(counts).toEqual([
        [most, true],
        [most, true],
        [2, false],
        [0, false],
      ]);
      expect(numbers).toEqual(nodes.concat(m1).map((_, at) => now.wall + at));
    });

    it('begin with the cause, and with more of its effects', () => {
      const replicas = Array.from({ length: 1500 }, (_, at) => ({
        service_name: 'GPE',
        partition: '1',
        replica: `${at}`,
      }));
      const { fired, isUnfinished } = moved({ rules: { service_not_online: replicas, cluster_down: [{}] } });
      expect([fired.length, fired[0]?.rule, isUnfinished]).toEqual([maxChangesPerStep.all, 'cluster_down', true]);
    });

    it('end with the cause last', () => {
      const effects = Array.from({ length: maxChangesPerStep.all + 1 }, (_, at) =>
        firingIncident('service_not_online', { service_name: 'GPE', partition: '1', replica: `${at}` }),
      );
      const cause = firingIncident('cluster_down', {}, { notified: { chat: 1 } });
      const first = moved({ rules: {} }, knowing(cause, ...effects));
      expect(first.resolved.map(({ rule }) => rule)).not.toContain('cluster_down');
      expect(moved({ rules: {} }, first.state).resolved.at(-1)?.rule).toBe('cluster_down');
    });

    it('end in several steps', () => {
      const before = knowing(...nodes.map((node) => firingIncident('quick', node, { notified: { chat: 1 } })));
      const first = moved({ rules: {} }, before);
      expect([first.resolved.length, first.isUnfinished]).toEqual([most, true]);
      const second = moved({ rules: {} }, first.state);
      const third = moved({ rules: {} }, second.state);
      expect([second.isUnfinished, third.resolved.length, third.isUnfinished, third.state.incidents.size]).toEqual([
        true,
        1,
        false,
        0,
      ]);
    });
  });
});
