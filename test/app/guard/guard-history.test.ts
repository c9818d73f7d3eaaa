import { describe, expect, it } from 'vitest';
import { GuardHistory } from '../../../src/app/guard/guard-history.ts';
import { decisionKey } from '../../../src/guard/decision/decision.ts';
import type { GuardOutput, Intent } from '../../../src/guard/decision/output.ts';
import { type GuardState, initialState } from '../../../src/guard/decision/state.ts';
import { toBreakerView } from '../../../src/guard/storage/guard-state-rows.ts';
import type { AbortView } from '../../../src/model/guard.ts';
import { decisionOf } from '../../guard/decision/decisions.ts';
import { GuardSimulation, settingsOf } from '../../guard/decision/guard-simulation.ts';
import { at, epoch, idAt } from '../../guard/observations.ts';
import { policyOf } from '../../guard/parsed-policy.ts';

const hour = 3_600_000;
const none = initialState();

/** Of query number `serial`. */
function intentOf(serial: number, changes: Partial<Intent> = {}): Intent {
  const target = { node: 'n1', id: idAt(0, serial), startTime: 's', graph: 'fraud', query: 'ring_scan' };
  const evidence = {
    age: { least: 700_000, most: 701_000 },
    grantedTimeout: hour,
    matchedAt: epoch,
    due: epoch,
    firstSeenAt: epoch,
    lastSeenAt: epoch,
    pressures: {},
  };
  return { ...target, key: decisionKey(target), cluster: 'prod', policy: 'runaway', at: epoch, evidence, ...changes };
}

function intended(intent: Intent): GuardOutput {
  return { kind: 'intent', intent, notify: ['oncall'] };
}

function about(serial: number) {
  const { key, policy, node, id, graph } = intentOf(serial);
  return { key, policy, node, id, graph };
}

function ended(serial: number, ms = 0): GuardOutput {
  return { kind: 'outcome', ...about(serial), outcome: 'confirmed', pages: false, at: epoch + ms };
}

function voided(node: string, reason: 'failed' | 'malformed' | 'error'): GuardOutput {
  return { kind: 'skipped', scope: 'node', node, reason };
}

/** Returns a history with these outputs, recorded at this time. */
function historyOf(outputs: readonly GuardOutput[], ms = 0): GuardHistory {
  const history = new GuardHistory('prod');
  for (const output of outputs) history.record(output, at(ms));
  return history;
}

describe('the guard history', () => {
  it('has an intent', () => {
    const history = historyOf([intended(intentOf(1))]);
    const target = { node: 'n1', id: idAt(0, 1), graph: 'fraud', query: 'ring_scan', policy: 'runaway' };
    const times = { at: epoch, age: 700_000, grantedTimeout: hour };
    const reported = { key: about(1).key, cluster: 'prod', ...target, ...times, mode: 'enforce', notify: ['oncall'] };
    expect(history.abort(about(1).key)).toEqual(reported);
    expect(history.view(at(0)).aborts).toEqual([reported]);
    expect(history.decisions(none, at(0))).toEqual([{ ...reported, phase: 'over' }]);
    expect(historyOf([]).abort(about(1).key)).toBeUndefined();
  });

  it('has the pressure without values, and the operator of a manual abort', () => {
    const { evidence } = intentOf(1);
    const { grantedTimeout: _, ...rest } = evidence;
    const gated = intentOf(1, { evidence: { ...rest, pressures: { node_memory: 0.9 } } });
    const manual = intentOf(2, { policy: '', manual: { by: 'alice', reason: 'stuck' } });
    const [second, first] = historyOf([intended(gated), intended(manual)]).decisions(none, at(0));
    expect(first).toMatchObject({ gated: true, mode: 'enforce' });
    expect(first).not.toHaveProperty('grantedTimeout');
    expect(second).toMatchObject({ mode: 'manual', manual: { by: 'alice', reason: 'stuck' } });
    expect(second).not.toHaveProperty('gated');
  });

  it('has the outcome of an intent, and the reason', () => {
    const history = historyOf([
      intended(intentOf(1)),
      { kind: 'outcome', ...about(1), outcome: 'withdrawn', pages: false, at: epoch + 5, skipReason: 'paused' },
      ended(2),
    ]);
    expect(history.decisions(none, at(10))).toMatchObject([
      { ...about(1), outcome: 'withdrawn', endedAt: epoch + 5, skipReason: 'paused' },
    ]);
  });

  it('reports an ended abort to rules for an hour', () => {
    const history = historyOf([intended(intentOf(1)), ended(1, 1000), intended(intentOf(2))]);
    const reported = (ms: number) => history.view(at(ms)).aborts.map(({ key }) => key);
    expect(reported(1000 + hour)).toEqual([about(1).key, about(2).key]);
    expect(reported(1001 + hour)).toEqual([about(2).key]);
  });

  it('reports the would-be abort of an observing policy to the API, and not to rules', () => {
    const history = historyOf([{ kind: 'would_abort', ...about(1), intent: intentOf(1) }], 7);
    expect(history.view(at(7)).aborts).toEqual([]);
    expect(history.decisions(none, at(7))).toMatchObject([{ mode: 'observe', phase: 'over', endedAt: epoch + 7 }]);
  });

  it('lists the latest first, even if an earlier one was recorded before', () => {
    const history = historyOf([
      { kind: 'would_abort', ...about(1), intent: intentOf(1) },
      intended(intentOf(2)),
      intended(intentOf(1)),
    ]);
    expect(history.decisions(none, at(0)).map(({ key }) => key)).toEqual([about(1).key, about(2).key]);
  });

  it('has the reason of a delay before the intent and after it', () => {
    const late = (serial: number, reason: 'node_budget' | 'reserve'): GuardOutput => {
      return { kind: 'late', ...about(serial), reason };
    };
    const began: GuardOutput = { kind: 'began', ...about(1), decision: decisionOf() };
    const history = historyOf([began, late(1, 'node_budget'), intended(intentOf(1)), intended(intentOf(2))]);
    history.record(late(2, 'reserve'), at(0));
    expect(history.decisions(none, at(0))).toMatchObject([{ late: 'reserve' }, { late: 'node_budget' }]);
  });

  it('drops the delay of a cancelled decision, and of one without an abort', () => {
    const history = historyOf([
      { kind: 'began', ...about(1), decision: decisionOf() },
      { kind: 'late', ...about(1), reason: 'cooldown' },
      { kind: 'cancelled', ...about(1), skipReason: 'manual_abort' },
      { kind: 'late', ...about(2), reason: 'bucket' },
      intended(intentOf(1)),
      intended(intentOf(2)),
    ]);
    for (const one of history.decisions(none, at(0))) expect(one).not.toHaveProperty('late');
  });
});

describe('a decision in progress', () => {
  it('is reported from its grace period on', () => {
    const simulation = new GuardSimulation(settingsOf([policyOf({ mode: 'enforce', when: { age: '> 12s' } })])).begin();
    const { id } = simulation.start();
    const history = new GuardHistory('prod');
    const reported = () => history.decisions(simulation.state, simulation.now());
    simulation.run(10_000);
    expect(reported()).toEqual([]);
    simulation.run(10_000);
    const [began] = simulation.of('began');
    const target = { node: 'n1', id, graph: 'fraud', query: 'ring_scan', policy: 'runaway' };
    const matchedAt = epoch + (began?.decision.matchedAt ?? 0) - at(0).mono;
    const stands = { mode: 'enforce', phase: 'grace', notify: [], age: expect.any(Number), at: matchedAt };
    expect(reported()).toEqual([{ key: began?.key, cluster: 'prod', ...target, ...stands }]);
    expect(reported()[0]?.age).toBeGreaterThan(10_000);
    simulation.run(23_000);
    for (const output of simulation.outputs) history.record(output, simulation.now());
    expect(reported()).toMatchObject([{ phase: 'verifying', at: epoch + (simulation.of('intent')[0]?.time ?? 0) }]);
    expect(history.view(simulation.now()).aborts).toHaveLength(1);
  });

  it('is reported with the reason of its delay, and as a manual abort', () => {
    const late = decisionOf({ late: 'cooldown' });
    const manual = { by: 'alice', reason: 'stuck', whilePaused: false };
    const target = { ...late.target, id: 'i2' };
    const manualDecision = decisionOf({ key: 'k2', target, policy: '', phase: 'fresh', manual });
    const state: GuardState = { ...none, decisions: new Map([late, manualDecision].map((one) => [one.key, one])) };
    expect(historyOf([]).decisions(state, at(0))).toMatchObject([
      { id: 'i2', mode: 'manual', phase: 'fresh', age: 0 },
      { id: 'i1', mode: 'enforce', phase: 'grace', late: 'cooldown' },
    ]);
  });

  it('replaces the entry of the same policy from observe mode', () => {
    const history = historyOf([{ kind: 'would_abort', ...about(1), intent: intentOf(1) }]);
    const decision = decisionOf({ key: about(1).key });
    const state: GuardState = { ...none, decisions: new Map([[decision.key, decision]]) };
    expect(history.decisions(state, at(0))).toMatchObject([{ mode: 'enforce', phase: 'grace' }]);
    history.record(intended(intentOf(1)), at(0));
    const [one, ...others] = history.decisions(none, at(0));
    expect([one?.mode, one?.endedAt, others]).toEqual(['enforce', undefined, []]);
  });
});

describe('a decision of an earlier run', () => {
  function viewOf(serial: number, changes: Partial<AbortView> = {}): AbortView {
    const { key, node, id, graph, query, policy, at: when } = intentOf(serial, { at: epoch + serial });
    return { key, node, id, graph, query, policy, notify: [], age: 1000, at: when, ...changes };
  }

  it('is reported like one of this run', () => {
    const history = new GuardHistory('prod');
    const manual = { by: 'alice', reason: 'stuck' };
    const breaker = toBreakerView('same_query fraud ring_scan', epoch);
    history.restore(
      [viewOf(2, { manual, policy: '' }), viewOf(1, { outcome: 'confirmed', endedAt: epoch })],
      [breaker],
    );
    expect(history.decisions(none, at(0))).toMatchObject([
      { ...about(2), policy: '', mode: 'manual', manual, cluster: 'prod' },
      { ...about(1), mode: 'enforce', outcome: 'confirmed' },
    ]);
    expect(history.breakers()).toEqual([breaker]);
    history.record(ended(2, 9), at(9));
    expect(history.abort(about(2).key)).toMatchObject({ outcome: 'confirmed', endedAt: epoch + 9 });
    history.restore([viewOf(3), viewOf(2)], []);
    expect(history.abort(about(2).key)).toMatchObject({ outcome: 'confirmed', endedAt: epoch + 9 });
    expect(history.abort(about(3).key)).toBeDefined();
  });

  it('is dropped first above the limit, except if it is open', () => {
    const history = new GuardHistory('prod');
    const old = Array.from({ length: 1000 }, (_, index) => viewOf(index + 2, { endedAt: epoch }));
    history.restore([...old.toReversed(), viewOf(1)], []);
    expect(history.decisions(none, at(0))).toHaveLength(1000);
    expect(history.abort(about(1).key)).toBeDefined();
    expect(history.abort(about(2).key)).toBeUndefined();
    expect(history.abort(about(3).key)).toBeDefined();
    history.record(ended(1), at(0));
    history.record(intended(intentOf(1002)), at(0));
    expect(history.abort(about(1).key)).toBeUndefined();
    expect(history.abort(about(3).key)).toBeDefined();
  });

  it('keeps more decisions than its limit if all are open', () => {
    const history = historyOf(Array.from({ length: 1001 }, (_, index) => intended(intentOf(index))));
    expect(history.view(at(0)).aborts).toHaveLength(1001);
  });
});

describe('circuit breakers and nodes that are not covered', () => {
  it('are reported while they last', () => {
    const breaker = 'same_query fraud ring_scan';
    const history = historyOf([{ kind: 'breaker', breaker, isOpen: true }], 5);
    const open = {
      key: breaker,
      reason: 'same_query',
      graph: 'fraud',
      query: 'ring_scan',
      policy: '',
      since: epoch + 5,
    };
    expect(history.view(at(9)).breakers).toEqual([open]);
    expect(history.breakers()).toEqual([open]);
    history.record({ kind: 'breaker', breaker, isOpen: false }, at(9));
    expect(history.breakers()).toEqual([]);
  });

  it('have the latest skip reason of the node', () => {
    const all: GuardOutput = { kind: 'skipped', scope: 'all', reason: 'clock_stepped' };
    const skipReasons = [voided('n1', 'error'), voided('n1', 'failed'), voided('n2', 'error'), all];
    const history = historyOf([...skipReasons, { kind: 'blind', node: 'n1', isBlind: true }], 5);
    expect(history.view(at(9)).nodesWithoutData).toEqual([{ node: 'n1', since: epoch + 5, reason: 'failed' }]);
    history.record(voided('n1', 'malformed'), at(9));
    expect(history.view(at(9)).nodesWithoutData).toEqual([{ node: 'n1', since: epoch + 5, reason: 'malformed' }]);
    history.record({ kind: 'blind', node: 'n1', isBlind: false }, at(9));
    expect(history.view(at(9)).nodesWithoutData).toEqual([]);
  });

  it('are dropped with the node', () => {
    const history = historyOf(['n1', 'n2'].map((node) => ({ kind: 'blind', node, isBlind: true }) as const));
    history.retainNodes(['n2', 'n3']);
    expect(history.view(at(0)).nodesWithoutData).toEqual([{ node: 'n2', since: epoch, reason: '' }]);
  });
});
