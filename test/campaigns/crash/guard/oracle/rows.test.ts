import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../../../campaigns/crash/guard/evidence.ts';
import { findWrongRows, wasInterrupted } from '../../../../../campaigns/crash/guard/oracle/rows.ts';
import { abortRequest, auditRow, evidenceOf, listReply, logStart, runawayQuery, serverAbort } from '../logs.ts';

const reported = {
  startedQueries: [runawayQuery('a')],
  calls: [abortRequest('a', 1000)],
  aborts: [serverAbort('a', 1000)],
};
const lists = [31_000, 70_000, 75_000, 77_000, 78_000, 79_000].map((after) => listReply(after));

function found(part: Partial<Evidence>): readonly string[] {
  return findWrongRows(evidenceOf({ ...reported, ...part })).map(({ kind }) => kind);
}

describe('an intent', () => {
  it('is accepted if it is older than its request', () => {
    expect(found({ rows: [auditRow('a', 1000, 'confirmed')] })).toEqual([]);
  });

  it('may be withdrawn before another one of the same query, with the request', () => {
    const rows = [auditRow('a', 100, 'withdrawn', 800), auditRow('a', 900, 'confirmed')];
    expect(found({ rows })).toEqual([]);
    expect(found({ rows: rows.toReversed() })).toEqual([]);
  });

  it.each([
    ['none', []],
    ['one of another query', [auditRow('b', 900, 'withdrawn')]],
    ['one from after', [auditRow('a', 1002, 'confirmed')]],
  ])('is reported as missing if there is %s', (_, rows) => {
    expect(found({ rows })).toEqual(['without intent']);
  });

  it('is counted as interrupted if no request followed', () => {
    const evidence = evidenceOf(reported);
    expect(wasInterrupted(auditRow('a', 900), evidence)).toBe(false);
    expect(wasInterrupted(auditRow('b', 900, 'vanished'), evidence)).toBe(true);
    expect(wasInterrupted(auditRow('b', 900, 'withdrawn'), evidence)).toBe(false);
    expect(wasInterrupted({ ...auditRow('a', 900), node: 'm2' }, evidence)).toBe(true);
  });
});

describe('an intent without an outcome', () => {
  it('is reported after the deadline of all outcomes', () => {
    expect(found({ rows: [auditRow('a', 1000)] })).toEqual(['without outcome']);
  });

  it('is reported shortly after the end of its query if a list could show the end', () => {
    const late = {
      calls: [abortRequest('a', 70_000), ...lists],
      aborts: [serverAbort('a', 70_000)],
      rows: [auditRow('a', 69_900)],
    };
    expect(found(late)).toEqual(['without outcome']);
    expect(found({ ...late, calls: [abortRequest('a', 70_000)] })).toEqual([]);
    expect(found({ ...late, endedAt: logStart + 73_000 })).toEqual([]);
  });

  it('has its deadline counted from the first list of the last run', () => {
    const calls = [abortRequest('a', 1000), listReply(29_000), listReply(79_000)];
    expect(found({ rows: [auditRow('a', 1000)], calls })).toEqual([]);
    expect(found({ rows: [auditRow('a', 1000)], calls: [...calls, listReply(41_000)] })).toEqual([]);
    expect(found({ rows: [auditRow('a', 1000)], calls: [abortRequest('a', 1000), listReply(41_000)] })).toEqual([
      'without outcome',
    ]);
  });

  it('is accepted without an outcome until its deadline while its query runs', () => {
    const open = {
      startedQueries: [runawayQuery('a', { kind: 'unstoppable' })],
      calls: [abortRequest('a', 50_000), ...lists],
      rows: [auditRow('a', 49_900)],
    };
    expect(found(open)).toEqual([]);
    expect(found({ ...open, endedAt: logStart + 88_000 })).toEqual(['without outcome']);
  });
});

describe('an outcome', () => {
  it('may be unknown only if lists failed', () => {
    const rows = [auditRow('a', 40_000, 'unknown', 79_500)];
    const calls = [abortRequest('a', 40_000)];
    expect(found({ calls: [...calls, ...lists], rows })).toEqual(['unknown']);
    expect(found({ calls: [...calls, ...lists.map((one) => ({ ...one, status: 500 }))], rows })).toEqual([]);
    expect(found({ calls: [...calls, ...lists.map((one) => ({ ...one, node: 'm2' }))], rows })).toEqual([]);
  });

  const alive = { aborts: [] };
  it.each<[string, string, Partial<Evidence>, readonly string[]]>([
    ['withdrawn', 'as requested', {}, ['wrong outcome']],
    ['withdrawn', 'what was not', { calls: [] }, []],
    ['confirmed', 'a query that runs and was not aborted', alive, ['wrong outcome', 'wrong outcome']],
    ['finished_first', 'what was aborted', {}, ['wrong outcome']],
    ['finished_first', 'what ended', { ...alive, startedQueries: [runawayQuery('a', { endsAt: logStart })] }, []],
    ['vanished', 'what runs', alive, ['wrong outcome']],
    ['vanished', 'what was aborted', {}, []],
    ['still_running', 'what was aborted', {}, ['wrong outcome']],
    ['still_running', 'what runs on', { startedQueries: [runawayQuery('a', { kind: 'unstoppable' })] }, []],
    ['not_aborted', 'what runs on', alive, []],
    ['refused', 'what runs on', alive, []],
  ])('compares the outcome %s of %s with the log', (outcome, _, part, kinds) => {
    expect(found({ ...part, rows: [auditRow('a', 900, outcome)] })).toEqual(kinds);
  });
});
