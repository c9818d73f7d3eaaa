import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../../crash/guard/evidence.ts';
import { wasCut, wrongRows } from '../../../../crash/guard/oracle/rows.ts';
import { aborted, asked, begin, evidenceOf, listed, ran, row } from '../logs.ts';

const told = { ran: [ran('a')], calls: [asked('a', 1000)], aborts: [aborted('a', 1000)] };
const lists = [31_000, 70_000, 75_000, 77_000, 78_000, 79_000].map((after) => listed(after));

function found(part: Partial<Evidence>): readonly string[] {
  return wrongRows(evidenceOf({ ...told, ...part })).map(({ kind }) => kind);
}

describe('an intent', () => {
  it('from before its request is well', () => {
    expect(found({ rows: [row('a', 1000, 'confirmed')] })).toEqual([]);
  });

  it.each([
    ['none', []],
    ['one of another query', [row('b', 900, 'withdrawn')]],
    ['one from after', [row('a', 1002, 'confirmed')]],
  ])('is missed where there is %s', (_, rows) => {
    expect(found({ rows })).toEqual(['without intent']);
  });

  it('is cut where no request came of it', () => {
    const evidence = evidenceOf(told);
    expect(wasCut(row('a', 900), evidence)).toBe(false);
    expect(wasCut(row('b', 900, 'vanished'), evidence)).toBe(true);
    expect(wasCut(row('b', 900, 'withdrawn'), evidence)).toBe(false);
    expect(wasCut({ ...row('a', 900), node: 'm2' }, evidence)).toBe(true);
  });
});

describe('an intent without an outcome', () => {
  it('is found where there was time enough for any', () => {
    expect(found({ rows: [row('a', 1000)] })).toEqual(['without outcome']);
  });

  it('is found a little after the end of its query, if that was to be seen', () => {
    const late = { calls: [asked('a', 70_000), ...lists], aborts: [aborted('a', 70_000)], rows: [row('a', 69_900)] };
    expect(found(late)).toEqual(['without outcome']);
    expect(found({ ...late, calls: [asked('a', 70_000)] })).toEqual([]);
    expect(found({ ...late, endedAt: begin + 73_000 })).toEqual([]);
  });

  it('has its time from the first list of the last life on', () => {
    const calls = [asked('a', 1000), listed(29_000), listed(79_000)];
    expect(found({ rows: [row('a', 1000)], calls })).toEqual([]);
    expect(found({ rows: [row('a', 1000)], calls: [...calls, listed(41_000)] })).toEqual([]);
    expect(found({ rows: [row('a', 1000)], calls: [asked('a', 1000), listed(41_000)] })).toEqual(['without outcome']);
  });

  it('is well where its query runs, until its deadline', () => {
    const open = {
      ran: [ran('a', { kind: 'zombie' })],
      calls: [asked('a', 50_000), ...lists],
      rows: [row('a', 49_900)],
    };
    expect(found(open)).toEqual([]);
    expect(found({ ...open, endedAt: begin + 88_000 })).toEqual(['without outcome']);
  });
});

describe('an outcome', () => {
  it('may be unknown where listing failed alone', () => {
    const rows = [row('a', 40_000, 'unknown', 79_500)];
    const calls = [asked('a', 40_000)];
    expect(found({ calls: [...calls, ...lists], rows })).toEqual(['unknown']);
    expect(found({ calls: [...calls, ...lists.map((one) => ({ ...one, status: 500 }))], rows })).toEqual([]);
    expect(found({ calls: [...calls, ...lists.map((one) => ({ ...one, node: 'm2' }))], rows })).toEqual([]);
  });

  const alive = { aborts: [] };
  it.each<[string, string, Partial<Evidence>, readonly string[]]>([
    ['withdrawn', 'what was asked for', {}, ['wrong outcome']],
    ['withdrawn', 'what was not', { calls: [] }, []],
    ['confirmed', 'what nobody aborted, and runs', alive, ['wrong outcome', 'wrong outcome']],
    ['finished_first', 'what was aborted', {}, ['wrong outcome']],
    ['finished_first', 'what ended', { ...alive, ran: [ran('a', { endsAt: begin })] }, []],
    ['vanished', 'what runs', alive, ['wrong outcome']],
    ['vanished', 'what was aborted', {}, []],
    ['still_running', 'what was aborted', {}, ['wrong outcome']],
    ['still_running', 'what runs on', { ran: [ran('a', { kind: 'zombie' })] }, []],
    ['not_aborted', 'what runs on', alive, []],
    ['refused', 'what runs on', alive, []],
  ])('%s of %s is judged', (outcome, _, part, kinds) => {
    expect(found({ ...part, rows: [row('a', 900, outcome)] })).toEqual(kinds);
  });
});
