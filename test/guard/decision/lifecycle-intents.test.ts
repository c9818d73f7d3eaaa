import { describe, expect, it } from 'vitest';
import { checkInputFor } from '../../../src/guard/decision/guard-conditions.ts';
import { createIntent, policyOfDecision as policyFor } from '../../../src/guard/decision/lifecycle.ts';
import type { Mode } from '../../../src/guard/policy.ts';
import { bound, policyOf } from '../match-inputs.ts';
import { at } from '../observations.ts';
import { stepContextOf } from './contexts.ts';
import { GuardSimulation, settingsOf } from './guard-simulation.ts';

const clauses = [
  { source: 'queue_depth', bound: bound('> 20'), for: 0 },
  { source: 'node_cpu', bound: bound('> 0.9'), for: 0 },
] as const;

/** A decision of a policy with a gate, at the point of its intent. */
function atIntent(mode: Mode) {
  const policy = policyOf(undefined, { mode, notify: ['oncall'], gate: { needs: 'any', clauses } });
  const settings = settingsOf([policy]);
  const simulation = new GuardSimulation(settings).begin();
  simulation.start({ url: '/query/fraud/ring_scan?name=secret' });
  const sampled = { at: simulation.now().mono, collectedAt: simulation.now().mono };
  for (const [source, value] of [
    ['queue_depth', 30],
    ['node_cpu', 0.5],
  ] as const)
    simulation.send({ kind: 'gate_value', pressure: { node: 'n1', source, value, ...sampled, interval: 60_000 } });
  simulation.run(70_000);
  const [decision] = simulation.state.decisions.values();
  if (decision === undefined) throw new Error('no decision began');
  const context = stepContextOf(settings, simulation.now());
  const step = createIntent(checkInputFor({ ...decision, phase: 'fresh' }, simulation.state, context), policy);
  return { ...step, decision, now: simulation.now() };
}

describe('intent', () => {
  it('spends the budget, excludes the entry and notifies the receivers', () => {
    const { state, outputs, decision } = atIntent('enforce');
    expect([...state.excludedKeys]).toEqual([decision.key]);
    expect(state.attempts).toMatchObject([{ key: decision.key, policy: 'runaway', isWithdrawn: false }]);
    expect(state.decisions.get(decision.key)?.phase).toBe('committing');
    expect(outputs).toMatchObject([{ kind: 'intent', notify: ['oncall'] }]);
  });

  it('contains the reason, without user data', () => {
    const { outputs, now, decision } = atIntent('enforce');
    const [output] = outputs;
    const intent = output?.kind === 'intent' ? output.intent : undefined;
    expect(intent).toMatchObject({ cluster: 'prod', node: 'n1', graph: 'fraud', query: 'ring_scan', at: now.wall });
    expect(intent?.evidence.pressures).toEqual({ queue_depth: 30, node_cpu: 0.5 });
    expect(intent?.evidence.matchedAt).toBe(decision.matchedAt - at(0).mono + at(0).wall);
    expect(intent?.evidence.due).toBe((intent?.evidence.matchedAt ?? 0) + 30_000);
    expect(intent?.evidence.lastSeenAt).toBeGreaterThan(intent?.evidence.firstSeenAt ?? Infinity);
    expect(JSON.stringify(outputs)).not.toContain('secret');
  });

  it.each([14_400_000, undefined])('contains the longest possible timeout if there is one: %j', (grantedTimeout) => {
    const { state, decision } = atIntent('enforce');
    const input = checkInputFor(
      { ...decision, phase: 'fresh' },
      state,
      stepContextOf(settingsOf([policyOf()]), at(70_000)),
    );
    const { candidate } = input;
    if (candidate === undefined) throw new Error('no query is listed');
    const range = grantedTimeout === undefined ? undefined : { least: 0, most: grantedTimeout };
    const granted = { ...candidate, grantedTimeout: range };
    const [output] = createIntent({ ...input, candidate: granted }, policyOf()).outputs;
    const evidence = output?.kind === 'intent' ? output.intent.evidence : {};
    const given = grantedTimeout === undefined ? [] : [['grantedTimeout', grantedTimeout]];
    expect(Object.entries(evidence).filter(([name]) => name === 'grantedTimeout')).toEqual(given);
  });

  it('waits for relief of the pressure that opened the gate', () => {
    expect(atIntent('enforce').state.reliefChecks).toMatchObject([
      { before: { queue_depth: 30 }, outcomeAt: undefined },
    ]);
  });

  it('of an observing policy is only reported', () => {
    const { state, outputs, decision } = atIntent('observe');
    expect(outputs).toMatchObject([{ kind: 'would_abort', key: decision.key }]);
    expect([state.excludedKeys.size, state.attempts.length, state.reliefChecks.length, state.decisions.size]).toEqual([
      0, 0, 0, 0,
    ]);
    expect([...state.reportedKeys]).toEqual([decision.key]);
    expect(state.observeModeAttempts).toHaveLength(1);
  });

  it('of a manual abort excludes the entry, even if its own key differs', () => {
    const { state, decision } = atIntent('enforce');
    const manual = { by: 'alice', reason: 'node overloaded', whilePaused: true };
    const given = { ...decision, key: 'further', policy: '', manual, phase: 'fresh' } as const;
    const context = stepContextOf(settingsOf([]), at(70_000));
    const { state: after, outputs } = createIntent(
      checkInputFor(given, { ...state, excludedKeys: new Set() }, context),
      undefined,
    );
    expect([...after.excludedKeys]).toEqual([decision.key]);
    const unmatched = { ...checkInputFor({ ...decision, phase: 'fresh' }, state, context), match: undefined };
    expect(() => createIntent(unmatched, policyOf())).toThrow('has no evidence');
    expect(after.reliefChecks).toEqual(state.reliefChecks);
    const [output] = outputs;
    expect(output?.kind === 'intent' ? output.intent.manual : undefined).toEqual({
      by: 'alice',
      reason: 'node overloaded',
    });
  });

  it('uses the current settings of its policy', () => {
    const { decision } = atIntent('enforce');
    expect(policyFor(decision, [policyOf()])?.name).toBe('runaway');
    expect(policyFor(decision, [])).toBeUndefined();
  });
});
