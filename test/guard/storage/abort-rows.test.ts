import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decisionKey, repeatDecisionKey } from '../../../src/guard/decision/decision.ts';
import {
  intentChange,
  outcomeChange,
  parseAbort,
  parseExclusion,
  toAbortView,
} from '../../../src/guard/storage/abort-rows.ts';
import { skipReasonColumn } from '../../../src/guard/storage/columns.ts';
import type { ColumnValue, Row } from '../../../src/kernel/store.ts';
import { abortOutcomes } from '../../../src/model/guard.ts';
import { epoch } from '../observations.ts';
import { anyAbort, rowOf, storedAbort } from './stored-aborts.ts';

const open: Row = { ended_at: null, outcome: null, [skipReasonColumn]: null, bars: 1 };

function rowWith(changes: Row): Row {
  return { ...rowOf(intentChange(storedAbort())), ...open, ...changes };
}

describe('intent row', () => {
  it('is parsed to the intent that was stored', () => {
    fc.assert(
      fc.property(anyAbort, (intent) => {
        expect(parseAbort({ ...rowOf(intentChange(intent)), ...open })).toEqual({ intent });
      }),
    );
  });

  it('is parsed to the outcome that was stored', () => {
    const skipReasons = fc.option(fc.constantFrom('paused', 'budget'), { nil: undefined });
    fc.assert(
      fc.property(anyAbort, fc.constantFrom(...abortOutcomes), skipReasons, (intent, outcome, skipReason) => {
        const ended = { outcome, at: epoch, ...(skipReason !== undefined && { skipReason }) };
        const { at, ...reported } = rowOf(outcomeChange(intent, ended));
        const row = { ...rowOf(intentChange(intent)), ...reported, ended_at: at ?? null };
        expect(parseAbort(row)).toEqual({ intent, ended });
      }),
    );
  });

  it('stores operator input as a single line of limited length', () => {
    const manual = { by: 'al\u001B[2Jice', reason: `stuck\r\n${'x'.repeat(2000)}` };
    const row = rowOf(intentChange(storedAbort(1, { manual, policy: '', mode: 'manual' })));
    expect(row.manual_by).toBe('al [2Jice');
    expect(row.manual_reason).toMatch(/^stuck x{994}$/);
    expect(parseAbort({ ...row, ...open })?.intent.manual?.by).toBe('al [2Jice');
    const unsaid = parseAbort({ ...row, ...open, manual_reason: null });
    expect(unsaid?.intent.manual).toEqual({ by: 'al [2Jice', reason: '' });
  });

  it.each<readonly [string, ColumnValue]>([
    ['id', 'all'],
    ['id', '1.RESTPP_1_1.1790000000000.N&requestid=all'],
    ['graph', 'fraud/../other'],
    ['query', 'ring scan'],
    ['policy', 'a b'],
    ['policy_hash', 'zz'],
    ['start_time', '<script>'],
    ['mode', 'observe'],
    ['at', 'soon'],
    ['at', 9e15],
    ['evidence', '{}'],
    ['evidence', '{'],
    ['evidence', '{"__proto__":null}'],
    ['notify', '"oncall"'],
    ['manual_by', 'a\u0007'],
    ['outcome', 'done'],
    ['key', '[]'],
    ['key', repeatDecisionKey(storedAbort(2), epoch)],
    ['node', 'n2'],
    ['node', null],
    ['cluster', ''],
  ])('is invalid with %s %j', (column, value) => {
    expect(parseAbort(rowWith({}))).toBeDefined();
    expect(parseAbort(rowWith({ [column]: value }))).toBeUndefined();
  });
});

describe('abort view', () => {
  it('has the fields of the abort that are not null', () => {
    const intent = storedAbort();
    const { key, node, id, graph, query, policy, at } = intent;
    const reported = {
      key,
      node,
      id,
      graph,
      query,
      policy,
      at,
      notify: ['oncall'],
      age: 700_000,
      grantedTimeout: 3_600_000,
      gated: true,
    };
    expect(toAbortView({ intent })).toEqual(reported);
    const ended = { outcome: 'confirmed', at: epoch + 9000 } as const;
    expect(toAbortView({ intent, ended })).toEqual({ ...reported, outcome: 'confirmed', endedAt: epoch + 9000 });
  });

  it('names the operator of a manual abort', () => {
    const manual = { by: 'alice', reason: 'blocks the load' };
    const { grantedTimeout: _, ...evidence } = storedAbort().evidence;
    const view = toAbortView({ intent: storedAbort(1, { manual, policy: '', evidence }) });
    expect(view).toMatchObject({ manual, policy: '' });
    expect(view).not.toHaveProperty('grantedTimeout');
  });
});

describe('exclusion of a row', () => {
  it('excludes its entry', () => {
    const { node, id, startTime, graph, query, policy, at, key } = storedAbort();
    const bar = parseExclusion(rowWith({}));
    expect(bar).toEqual({ key, node, id, startTime, graph, query, policy, at, outcome: undefined });
    expect(bar && decisionKey(bar)).toBe(key);
    expect(parseExclusion(rowWith({ outcome: 'withdrawn' }))?.outcome).toBe('withdrawn');
  });

  it('excludes the entry of an otherwise invalid row, as a current abort that may still run', () => {
    const broken = { graph: 7, query: null, policy: null, at: 'x', outcome: 'done', evidence: '{', notify: null };
    expect(parseExclusion(rowWith(broken))).toMatchObject({
      node: 'n1',
      id: storedAbort().id,
      startTime: storedAbort().startTime,
      graph: '',
      policy: '',
      at: 8.64e15,
      outcome: 'unknown',
    });
  });

  it('excludes the entry of a further intent, with the key of that intent', () => {
    const key = repeatDecisionKey(storedAbort(), epoch);
    expect(parseExclusion(rowWith({ key }))).toEqual({ ...parseExclusion(rowWith({})), key });
    expect(parseAbort(rowWith({ key }))?.intent).toEqual({ ...storedAbort(), key });
    expect(parseExclusion(rowWith({ key: 'x' }))?.key).toBe('x');
  });

  it.each<readonly [string, Row]>([
    ['its columns if the key is invalid', { key: 'x' }],
    ['its key if the columns are invalid', { node: null, id: null, start_time: null }],
    ['its key if the columns differ, because outcomes use the key', { node: 'n9' }],
  ])('has its entry from %s', (_, changes) => {
    const bar = parseExclusion(rowWith(changes));
    expect(bar && decisionKey(bar)).toBe(storedAbort().key);
  });

  it('is undefined if neither the key nor the columns are valid', () => {
    expect(parseExclusion(rowWith({ key: '{}', node: null }))).toBeUndefined();
    expect(parseExclusion({})).toBeUndefined();
  });

  it('is defined for any row that identifies its entry', () => {
    const cell = fc.oneof(fc.string(), fc.double(), fc.constant(null));
    fc.assert(
      fc.property(
        anyAbort,
        fc.dictionary(fc.constantFrom('graph', 'at', 'evidence', 'outcome', 'mode'), cell),
        (one, broken) => {
          const bar = parseExclusion({ ...rowOf(intentChange(one)), ...open, ...broken });
          expect(bar && decisionKey(bar)).toBe(one.key);
        },
      ),
    );
  });
});
