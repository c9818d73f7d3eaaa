import { describe, expect, it } from 'vitest';
import {
  credentialBreakerKey,
  policyBreakerKey,
  queryBreakerKey,
} from '../../../src/guard/decision/circuit-breakers.ts';
import {
  clockOffsetChange,
  parseBreaker,
  parseBreakerReset,
  parseClockOffset,
  parsePause,
  parseRelief,
  pauseChange,
  resumeChange,
  stateChanges,
  toBreakerView,
} from '../../../src/guard/storage/guard-state-rows.ts';
import type { StoreChange } from '../../../src/kernel/store.ts';
import { epoch } from '../observations.ts';
import { rowOf } from './stored-aborts.ts';

const byQuery = queryBreakerKey({ graph: 'fraud', query: 'ring_scan' });
const byPolicy = policyBreakerKey('runaway');

describe('pause row', () => {
  const pause = { cluster: 'prod', reason: 'operator', by: 'alice', at: epoch };

  it('is parsed to the stored pause', () => {
    expect(parsePause(rowOf(pauseChange(pause)))).toEqual(pause);
  });

  it.each([{ at: 'x' }, { name: '' }, { value: null }])('is still a pause with an invalid field: %j', (broken) => {
    const lost = { cluster: '', reason: 'state_lost', by: '', at: 0 };
    expect(parsePause({ ...rowOf(pauseChange(pause)), ...broken })).toEqual(lost);
  });

  it('is dropped with all others', () => {
    expect(resumeChange()).toEqual({ table: 'guard_standing', drop: { kind: 'pause' } });
  });
});

function drop(kind: string, name: string): StoreChange {
  return { table: 'guard_standing', drop: { cluster: 'prod', kind, name } };
}

function resetOf(name: string): StoreChange {
  return { table: 'guard_standing', put: { cluster: 'prod', kind: 'breaker_reset', name, value: '', at: epoch } };
}

function close(breaker: string): readonly StoreChange[] {
  return stateChanges('prod', { kind: 'breaker', breaker, isOpen: false }, epoch);
}

describe('breaker row', () => {
  it.each([
    [byQuery, { reason: 'same_query', graph: 'fraud', query: 'ring_scan', policy: '' }],
    [byPolicy, { reason: 'no_relief', graph: '', query: '', policy: 'runaway' }],
    [credentialBreakerKey, { reason: 'credential', graph: '', query: '', policy: '' }],
    ['something else', { reason: 'no_relief', graph: '', query: '', policy: '' }],
  ])('%s is a breaker', (key, reported) => {
    expect(toBreakerView(key, epoch)).toEqual({ key, since: epoch, ...reported });
    const [change, ...others] = stateChanges('prod', { kind: 'breaker', breaker: key, isOpen: true }, epoch);
    expect(others).toEqual([]);
    expect(change && parseBreaker(rowOf(change))).toEqual(toBreakerView(key, epoch));
  });

  it('is dropped on reset, with its count', () => {
    expect(close(byQuery)).toEqual([drop('breaker', byQuery), resetOf(byQuery)]);
    expect(close(byPolicy)).toEqual([drop('breaker', byPolicy), resetOf(byPolicy), drop('relief', 'runaway')]);
    expect(parseBreakerReset(rowOf(resetOf(byQuery)))).toEqual([byQuery, epoch]);
    expect(parseBreakerReset({ cluster: 'prod', kind: 'breaker_reset', name: '', value: '', at: 1 })).toBeUndefined();
  });

  it('stays open if its time is invalid', () => {
    expect(parseBreaker({ cluster: 'prod', kind: 'breaker', name: byPolicy, value: '', at: null })).toMatchObject({
      key: byPolicy,
      since: 0,
    });
    expect(parseBreaker({ cluster: 'prod', kind: 'breaker', name: '', value: '', at: 0 })).toBeUndefined();
  });
});

describe('count of aborts without relief', () => {
  it('is stored', () => {
    const [change] = stateChanges('prod', { kind: 'relief', policy: 'runaway', node: 'n1', aborts: 1 }, epoch);
    expect(change && parseRelief(rowOf(change))).toEqual(['runaway', 1]);
  });

  it.each(['', '-1', '1.5', '"1"'])('rejects %j', (value) => {
    expect(parseRelief({ cluster: 'prod', kind: 'relief', name: 'runaway', value, at: 0 })).toBeUndefined();
  });

  it('is the only stored output of a step, besides breakers', () => {
    expect(stateChanges('prod', { kind: 'covered', node: 'n1', isCovered: true }, epoch)).toEqual([]);
  });
});

describe('clock offset row', () => {
  const n1 = { cluster: 'prod', node: 'n1' };

  it.each([{}, { offset: -21_600_000 }, { offset: 12.5, anchor: 3 }])('is parsed to %j', (clock) => {
    expect(parseClockOffset(rowOf(clockOffsetChange(n1, clock, epoch)))).toEqual(['n1', clock]);
  });

  it.each(['{"offset":"6h"}', '{"offset":1e99}', ''])('rejects %j', (value) => {
    expect(parseClockOffset({ ...rowOf(clockOffsetChange(n1, {}, epoch)), value })).toBeUndefined();
  });
});
