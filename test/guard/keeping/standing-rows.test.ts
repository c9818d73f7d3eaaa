import { describe, expect, it } from 'vitest';
import { policyBreaker, queryBreaker } from '../../../src/guard/decision/breakers.ts';
import {
  breakerOf,
  breakerView,
  clockChange,
  clockOf,
  pauseChange,
  pauseOf,
  reliefOf,
  resumeChange,
  standingChanges,
} from '../../../src/guard/keeping/standing-rows.ts';
import type { Change } from '../../../src/kernel/store.ts';
import { epoch } from '../listed.ts';
import { rowOf } from './kept-aborts.ts';

const byQuery = queryBreaker({ graph: 'fraud', query: 'ring_scan' });
const byPolicy = policyBreaker('runaway');

describe('a pause', () => {
  const pause = { reason: 'operator', by: 'alice', at: epoch };

  it('is given back', () => {
    expect(pauseOf(rowOf(pauseChange(pause)))).toEqual(pause);
  });

  it.each([{ at: 'x' }, { name: '' }, { value: null }])('that cannot be read (%j) still is one', (broken) => {
    expect(pauseOf({ ...rowOf(pauseChange(pause)), ...broken })).toEqual({ reason: 'state_lost', by: '', at: 0 });
  });

  it('is dropped by its reason, or with all others', () => {
    expect(resumeChange('file')).toEqual({
      table: 'guard_standing',
      drop: { cluster: '', kind: 'pause', name: 'file' },
    });
    expect(resumeChange()).toEqual({ table: 'guard_standing', drop: { cluster: '', kind: 'pause' } });
  });
});

function drop(kind: string, name: string): Change {
  return { table: 'guard_standing', drop: { cluster: 'prod', kind, name } };
}

function close(breaker: string): readonly Change[] {
  return standingChanges('prod', { kind: 'breaker', breaker, isOpen: false }, epoch);
}

describe('a breaker', () => {
  it.each([
    [byQuery, { reason: 'same_query', graph: 'fraud', query: 'ring_scan', policy: '' }],
    [byPolicy, { reason: 'no_relief', graph: '', query: '', policy: 'runaway' }],
    ['something else', { reason: 'no_relief', graph: '', query: '', policy: '' }],
  ])('%s is one', (key, told) => {
    expect(breakerView(key, epoch)).toEqual({ key, since: epoch, ...told });
    const [change, ...others] = standingChanges('prod', { kind: 'breaker', breaker: key, isOpen: true }, epoch);
    expect(others).toEqual([]);
    expect(change && breakerOf(rowOf(change))).toEqual(breakerView(key, epoch));
  });

  it('is dropped when it is closed, and the count that led to it', () => {
    expect(close(byQuery)).toEqual([drop('breaker', byQuery)]);
    expect(close(byPolicy)).toEqual([drop('breaker', byPolicy), drop('relief', 'runaway')]);
  });

  it('stays open where nobody can read since when', () => {
    expect(breakerOf({ cluster: 'prod', kind: 'breaker', name: byPolicy, value: '', at: null })).toMatchObject({
      key: byPolicy,
      since: 0,
    });
    expect(breakerOf({ cluster: 'prod', kind: 'breaker', name: '', value: '', at: 0 })).toBeUndefined();
  });
});

describe('aborts without relief', () => {
  it('are counted', () => {
    const [change] = standingChanges('prod', { kind: 'relief', policy: 'runaway', node: 'n1', aborts: 1 }, epoch);
    expect(change && reliefOf(rowOf(change))).toEqual(['runaway', 1]);
  });

  it.each(['', '-1', '1.5', '"1"'])('are not %j', (value) => {
    expect(reliefOf({ cluster: 'prod', kind: 'relief', name: 'runaway', value, at: 0 })).toBeUndefined();
  });

  it('are all that a step says of what stands, beside breakers', () => {
    expect(standingChanges('prod', { kind: 'covered', node: 'n1', isCovered: true }, epoch)).toEqual([]);
  });
});

describe('the clock of a node', () => {
  const n1 = { cluster: 'prod', node: 'n1' };

  it.each([{}, { offset: -21_600_000 }, { offset: 12.5, anchor: 3 }])('is given back as %j', (clock) => {
    expect(clockOf(rowOf(clockChange(n1, clock, epoch)))).toEqual(['n1', clock]);
  });

  it.each(['{"offset":"6h"}', '{"offset":1e99}', ''])('is not %j', (value) => {
    expect(clockOf({ ...rowOf(clockChange(n1, {}, epoch)), value })).toBeUndefined();
  });
});
