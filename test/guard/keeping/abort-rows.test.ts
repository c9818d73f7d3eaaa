import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decisionKey, furtherKey } from '../../../src/guard/decision/decision.ts';
import { abortOf, abortView, barOf, intentChange, outcomeChange } from '../../../src/guard/keeping/abort-rows.ts';
import type { Cell, Row } from '../../../src/kernel/store.ts';
import { abortOutcomes } from '../../../src/model/abort-outcomes.ts';
import { epoch } from '../listed.ts';
import { anyAbort, keptAbort, rowOf } from './kept-aborts.ts';

const open: Row = { ended_at: null, outcome: null, doubt: null, bars: 1 };

function rowWith(changes: Row): Row {
  return { ...rowOf(intentChange(keptAbort())), ...open, ...changes };
}

describe('the row of an intent', () => {
  it('gives it back, whatever it is', () => {
    fc.assert(
      fc.property(anyAbort, (intent) => {
        expect(abortOf({ ...rowOf(intentChange(intent)), ...open })).toEqual({ intent });
      }),
    );
  });

  it('gives back how it ended', () => {
    const doubts = fc.option(fc.constantFrom('paused', 'budget'), { nil: undefined });
    fc.assert(
      fc.property(anyAbort, fc.constantFrom(...abortOutcomes), doubts, (intent, outcome, doubt) => {
        const ended = { outcome, at: epoch, ...(doubt !== undefined && { doubt }) };
        const { at, ...told } = rowOf(outcomeChange(intent, ended));
        const row = { ...rowOf(intentChange(intent)), ...told, ended_at: at ?? null };
        expect(abortOf(row)).toEqual({ intent, ended });
      }),
    );
  });

  it('has what people typed as one line of a certain length', () => {
    const manual = { by: 'al\u001B[2Jice', reason: `stuck\r\n${'x'.repeat(2000)}` };
    const row = rowOf(intentChange(keptAbort(1, { manual, policy: '', mode: 'manual' })));
    expect(row.manual_by).toBe('al [2Jice');
    expect(row.manual_reason).toMatch(/^stuck x{994}$/);
    expect(abortOf({ ...row, ...open })?.intent.manual?.by).toBe('al [2Jice');
    const unsaid = abortOf({ ...row, ...open, manual_reason: null });
    expect(unsaid?.intent.manual).toEqual({ by: 'al [2Jice', reason: '' });
  });

  it.each<readonly [string, Cell]>([
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
    ['key', furtherKey(keptAbort(2), epoch)],
    ['node', 'n2'],
    ['node', null],
    ['cluster', ''],
  ])('is none with %s %j', (column, value) => {
    expect(abortOf(rowWith({}))).toBeDefined();
    expect(abortOf(rowWith({ [column]: value }))).toBeUndefined();
  });
});

describe('what rules and people are told of an abort', () => {
  it('is what is known of it', () => {
    const intent = keptAbort();
    const { key, node, id, graph, query, policy, at } = intent;
    const told = {
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
    expect(abortView({ intent })).toEqual(told);
    const ended = { outcome: 'confirmed', at: epoch + 9000 } as const;
    expect(abortView({ intent, ended })).toEqual({ ...told, outcome: 'confirmed', endedAt: epoch + 9000 });
  });

  it('names who did it by hand', () => {
    const manual = { by: 'alice', reason: 'blocks the load' };
    const { grantedTimeout: _, ...evidence } = keptAbort().evidence;
    const view = abortView({ intent: keptAbort(1, { manual, policy: '', evidence }) });
    expect(view).toMatchObject({ manual, policy: '' });
    expect(view).not.toHaveProperty('grantedTimeout');
  });
});

describe('what a row bars', () => {
  it('is its entry', () => {
    const { node, id, startTime, graph, query, policy, at, key } = keptAbort();
    const bar = barOf(rowWith({}));
    expect(bar).toEqual({ key, node, id, startTime, graph, query, policy, at, outcome: undefined });
    expect(bar && decisionKey(bar)).toBe(key);
    expect(barOf(rowWith({ outcome: 'withdrawn' }))?.outcome).toBe('withdrawn');
  });

  it('is its entry however much else cannot be read: it was spent just now, and may still run', () => {
    const broken = { graph: 7, query: null, policy: null, at: 'x', outcome: 'done', evidence: '{', notify: null };
    expect(barOf(rowWith(broken))).toMatchObject({
      node: 'n1',
      id: keptAbort().id,
      startTime: keptAbort().startTime,
      graph: '',
      policy: '',
      at: 8.64e15,
      outcome: 'unknown',
    });
  });

  it('is its entry also by a further intent, whose outcome is found by its own key', () => {
    const key = furtherKey(keptAbort(), epoch);
    expect(barOf(rowWith({ key }))).toEqual({ ...barOf(rowWith({})), key });
    expect(abortOf(rowWith({ key }))?.intent).toEqual({ ...keptAbort(), key });
    expect(barOf(rowWith({ key: 'x' }))?.key).toBe('x');
  });

  it.each<readonly [string, Row]>([
    ['its columns where the key is broken', { key: 'x' }],
    ['its key where the columns are broken', { node: null, id: null, start_time: null }],
    ['its key where the columns say otherwise: an outcome is found by that', { node: 'n9' }],
  ])('is told by %s', (_, changes) => {
    const bar = barOf(rowWith(changes));
    expect(bar && decisionKey(bar)).toBe(keptAbort().key);
  });

  it('is nothing where neither can be read', () => {
    expect(barOf(rowWith({ key: '{}', node: null }))).toBeUndefined();
    expect(barOf({})).toBeUndefined();
  });

  it('is something for any row that says what it is about', () => {
    const cell = fc.oneof(fc.string(), fc.double(), fc.constant(null));
    fc.assert(
      fc.property(
        anyAbort,
        fc.dictionary(fc.constantFrom('graph', 'at', 'evidence', 'outcome', 'mode'), cell),
        (one, broken) => {
          const bar = barOf({ ...rowOf(intentChange(one)), ...open, ...broken });
          expect(bar && decisionKey(bar)).toBe(one.key);
        },
      ),
    );
  });
});
