import { describe, expect, it } from 'vitest';
import { guardBlind } from '../../../src/alert/rules/guard-blind.ts';
import { guarded, guardWith } from './aborting.ts';
import { minute, situationWith, verdicts, view, wall } from './judging.ts';

const blind = [{ node: 'm1', since: wall - minute, reason: 'too_slow' }];

describe('a guard that sees nothing on a node', () => {
  it('says where, since when, and why', () => {
    expect(verdicts(guardBlind, guarded({ blind }))).toEqual([
      { labels: { node: 'm1' }, facts: { reason: 'too_slow', when: '2026-09-22 04:52:20 UTC' }, since: wall - minute },
    ]);
  });

  it('wakes nobody where it would abort nothing anyway', () => {
    const severities = [true, false].map(
      (isEnforcing) => verdicts(guardBlind, guarded({ blind, isEnforcing }))[0]?.severity,
    );
    expect(severities).toEqual([undefined, 'warning']);
  });

  it('does not exist where none guards, or all is seen', () => {
    expect(verdicts(guardBlind, situationWith({}))).toEqual([]);
    expect(verdicts(guardBlind, guarded())).toEqual([]);
  });
});

/** Whether it is known how well the guard sees m1, whose list was read well or not, or by nobody. */
function knows(guard = guardWith(), fresh?: boolean): boolean | undefined {
  const collectors = fresh === undefined ? [] : [view('queries', 'm2'), view('queries', 'm1', { fresh })];
  return guardBlind.knows?.(situationWith({}, { guard, collectors }), { node: 'm1' });
}

describe('whether it sees a node', () => {
  it('is not known before a list was read, nor before the guard knows what it did', () => {
    expect(knows(guardWith(), false)).toBe(false);
    expect(knows(guardWith({ isRestored: false }), true)).toBe(false);
  });

  it('is known by a list, by the want of it three times, and where nobody lists', () => {
    expect([knows(guardWith(), true), knows(guardWith({ blind }), false), knows()]).toEqual([true, true, true]);
  });
});
