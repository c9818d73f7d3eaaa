import { describe, expect, it } from 'vitest';
import { questionOf } from '../../../src/guard/decision/doubts.ts';
import { intended, policyOf as policyFor } from '../../../src/guard/decision/intents.ts';
import type { Mode } from '../../../src/guard/policy.ts';
import { at } from '../listed.ts';
import { bound, policyOf } from '../scenes.ts';
import { contextOf } from './contexts.ts';
import { settingsOf, World } from './world.ts';

const clauses = [
  { source: 'queue_depth', bound: bound('> 20'), hold: 0 },
  { source: 'node_cpu', bound: bound('> 0.9'), hold: 0 },
] as const;

/** A decision of a policy with a gate, at the point of its intent. */
function atIntent(mode: Mode) {
  const policy = policyOf(undefined, { mode, notify: ['oncall'], gate: { needs: 'any', clauses } });
  const settings = settingsOf([policy]);
  const world = new World(settings).begin();
  world.start({ url: '/query/fraud/ring_scan?name=secret' });
  for (const [source, value] of [
    ['queue_depth', 30],
    ['node_cpu', 0.5],
  ] as const)
    world.tell({ kind: 'pressed', pressure: { node: 'n1', source, value, at: world.now().mono, interval: 60_000 } });
  world.run(70_000);
  const [decision] = world.state.decisions.values();
  if (decision === undefined) throw new Error('nothing was begun');
  const context = contextOf(settings, world.now());
  const step = intended(questionOf({ ...decision, phase: 'fresh' }, world.state, context), policy);
  return { ...step, decision, now: world.now() };
}

describe('an intent', () => {
  it('spends, bars and tells whom it may concern', () => {
    const { state, outputs, decision } = atIntent('enforce');
    expect([...state.barred]).toEqual([decision.key]);
    expect(state.attempts).toMatchObject([{ key: decision.key, policy: 'runaway', isWithdrawn: false }]);
    expect(state.decisions.get(decision.key)?.phase).toBe('committing');
    expect(outputs).toMatchObject([{ kind: 'intent', notify: ['oncall'] }]);
  });

  it('says on what ground, without what belongs to users', () => {
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

  it.each([{ grantedTimeout: 14_400_000 }, {}])('says what time the query was granted, if it was any: %j', (given) => {
    const { state, decision } = atIntent('enforce');
    const question = questionOf(
      { ...decision, phase: 'fresh' },
      state,
      contextOf(settingsOf([policyOf()]), at(70_000)),
    );
    const { candidate } = question;
    if (candidate === undefined) throw new Error('nothing is listed');
    const { grantedTimeout: _, ...sighting } = candidate.sighting;
    const granted = { ...candidate, sighting: { ...sighting, ...given } };
    const [output] = intended({ ...question, candidate: granted }, policyOf()).outputs;
    const evidence = output?.kind === 'intent' ? output.intent.evidence : {};
    expect(Object.entries(evidence).filter(([name]) => name === 'grantedTimeout')).toEqual(Object.entries(given));
  });

  it('waits for relief of the pressure that opened the gate', () => {
    expect(atIntent('enforce').state.awaited).toMatchObject([{ before: { queue_depth: 30 }, outcomeAt: undefined }]);
  });

  it('of a policy that observes is told, and nothing else', () => {
    const { state, outputs, decision } = atIntent('observe');
    expect(outputs).toMatchObject([{ kind: 'would_abort', key: decision.key }]);
    expect([state.barred.size, state.attempts.length, state.awaited.length, state.decisions.size]).toEqual([
      0, 0, 0, 0,
    ]);
    expect([...state.told]).toEqual([decision.key]);
    expect(state.shadows).toHaveLength(1);
  });

  it('by hand bars the entry, whatever key it has itself', () => {
    const { state, decision } = atIntent('enforce');
    const manual = { by: 'alice', reason: 'it hurts', whilePaused: true };
    const given = { ...decision, key: 'further', policy: '', manual, phase: 'fresh' } as const;
    const context = contextOf(settingsOf([]), at(70_000));
    const { state: after, outputs } = intended(questionOf(given, { ...state, barred: new Set() }, context), undefined);
    expect([...after.barred]).toEqual([decision.key]);
    const unmatched = { ...questionOf({ ...decision, phase: 'fresh' }, state, context), match: undefined };
    expect(() => intended(unmatched, policyOf())).toThrow('without evidence');
    expect(after.awaited).toEqual(state.awaited);
    const [output] = outputs;
    expect(output?.kind === 'intent' ? output.intent.manual : undefined).toEqual({ by: 'alice', reason: 'it hurts' });
  });

  it('is of the policy as it is now', () => {
    const { decision } = atIntent('enforce');
    expect(policyFor(decision, [policyOf()])?.name).toBe('runaway');
    expect(policyFor(decision, [])).toBeUndefined();
  });
});
