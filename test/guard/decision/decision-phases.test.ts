import { describe, expect, it } from 'vitest';
import type { Decision, DecisionPhase } from '../../../src/guard/decision/decision.ts';
import { isTentative, moveToPhase, phaseRules } from '../../../src/guard/decision/decision.ts';
import { decisionOf } from './decisions.ts';

const all: readonly DecisionPhase[] = ['grace', 'fresh', 'committing', 'preparing', 'sent', 'verifying'];
const ways = [
  'grace fresh',
  'fresh grace',
  'fresh committing',
  'committing preparing',
  'preparing sent',
  'sent verifying',
];

describe('decision phases', () => {
  it.each(all.flatMap((from) => all.map((to) => [from, to] as const)))('change from %s to %s', (from, to) => {
    const decision: Decision = decisionOf({ phase: from });
    if (ways.includes(`${from} ${to}`))
      expect(moveToPhase(decision, to, { sentAt: 7 })).toEqual({ ...decision, phase: to, sentAt: 7 });
    else expect(() => moveToPhase(decision, to)).toThrow(`from phase ${from} to ${to}`);
  });

  it('of a manual abort are the same, from its fresh list on', () => {
    const manual = { by: 'alice', reason: 'node overloaded', whilePaused: false };
    const decision = decisionOf({ policy: '', manual, phase: 'fresh' });
    expect(['fresh', ...reachable('committing')]).not.toContain('grace');
    expect(moveToPhase(decision, 'committing')).toEqual({ ...decision, phase: 'committing' });
  });

  it('do not return to a phase before the intent', () => {
    expect(reachable('committing')).toEqual(['preparing', 'sent', 'verifying']);
  });

  it('end without a row only before an intent', () => {
    expect(all.filter((phase) => isTentative({ phase }))).toEqual(['grace', 'fresh']);
    expect(all.filter((phase) => phaseRules[phase].isVerified)).toEqual(['sent', 'verifying']);
  });
});

function reachable(from: DecisionPhase): readonly DecisionPhase[] {
  return phaseRules[from].next.flatMap((next) => [next, ...reachable(next)]);
}
