import { describe, expect, it } from 'vitest';
import { guardBlind, unusableListTexts } from '../../../src/alert/rules/guard-blind.ts';
import { countedSkips } from '../../../src/app/guard/guard-counters.ts';
import { guarded, guardWith } from './guard-fixtures.ts';
import { findings, minute, situationWith, view, wall } from './rule-fixtures.ts';

const nodesWithoutData = [{ node: 'm1', since: wall - minute, reason: 'too_slow' }];

describe('a guard without a usable list of a node', () => {
  it('states the node, the start and the reason', () => {
    expect(findings(guardBlind, guarded({ nodesWithoutData }))).toEqual([
      {
        labels: { node: 'm1' },
        facts: { reason: 'too_slow', why: 'the response took too long', when: '2026-09-22 04:52:20 UTC' },
        since: wall - minute,
      },
    ]);
  });

  it('has a text for each reason that is counted', () => {
    const reasons = countedSkips.filter(({ scope }) => scope === 'node').map(({ reason }) => reason);
    expect(Object.keys(unusableListTexts).toSorted()).toEqual(reasons.toSorted());
  });

  it('has the severity warning if no policy enforces', () => {
    const severities = [true, false].map(
      (isEnforcing) => findings(guardBlind, guarded({ nodesWithoutData, isEnforcing }))[0]?.severity,
    );
    expect(severities).toEqual([undefined, 'warning']);
  });

  it('does not fire without a guard, or while all nodes are covered', () => {
    expect(findings(guardBlind, situationWith({}))).toEqual([]);
    expect(findings(guardBlind, guarded())).toEqual([]);
  });
});

/** Returns whether the coverage of m1 is known; `fresh`: whether its list is fresh, or undefined if none is polled. */
function knows(guard = guardWith(), fresh?: boolean): boolean | undefined {
  const collectors = fresh === undefined ? [] : [view('queries', 'm2'), view('queries', 'm1', { fresh })];
  return guardBlind.knows?.(situationWith({}, { guard, collectors }), { node: 'm1' });
}

describe('coverage of a node', () => {
  it('is undetermined before the first list, and before the guard restores its aborts', () => {
    expect(knows(guardWith(), false)).toBe(false);
    expect(knows(guardWith({ isRestored: false }), true)).toBe(false);
  });

  it('is determined after a list, after three unusable lists, and without a list poller', () => {
    expect([knows(guardWith(), true), knows(guardWith({ nodesWithoutData }), false), knows()]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
