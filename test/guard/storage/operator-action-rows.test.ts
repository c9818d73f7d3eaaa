import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  actionChange,
  type OperatorAction,
  operatorActions,
  parseAction,
} from '../../../src/guard/storage/operator-action-rows.ts';
import { epoch } from '../observations.ts';
import { rowOf } from './stored-aborts.ts';

const act: OperatorAction = {
  at: epoch,
  what: 'reset_breaker',
  by: 'alice',
  cluster: 'prod',
  subject: 'no_relief runaway',
  reason: 'more memory',
};
const half = { next: () => 0.5 };
const line = fc.string({ maxLength: 100 }).filter((text) => !/\p{Cc}/u.test(text));

describe('operator action row', () => {
  it('is parsed to the action that was stored', () => {
    const fields = { what: fc.constantFrom(...operatorActions), by: line, cluster: line, subject: line, reason: line };
    fc.assert(
      fc.property(fc.record({ at: fc.nat(), ...fields }), (given) => {
        expect(parseAction(rowOf(actionChange(given, half)))).toEqual(given);
      }),
    );
  });

  it('differs for an equal action', () => {
    const chances = [0.1, 0.2];
    const random = { next: () => chances.shift() ?? 0 };
    const [one, other] = [rowOf(actionChange(act, random)), rowOf(actionChange(act, random))];
    expect(one.uid).not.toBe(other.uid);
    expect({ ...one, uid: '' }).toEqual({ ...other, uid: '' });
  });

  it('stores operator input as a single line of limited length', () => {
    const typed = { by: 'a\nb', subject: 'x\u0000y', reason: 'z'.repeat(5000) };
    const read = parseAction(rowOf(actionChange({ ...act, ...typed }, half)));
    expect(read).toEqual({ ...act, by: 'a b', subject: 'x y', reason: 'z'.repeat(1000) });
  });

  it.each([
    ['what', 'delete_everything'],
    ['at', null],
    ['actor', 7],
    ['actor', 'a\u001B[2J'],
    ['uid', ''],
    ['reason', null],
  ])('is invalid with %s %j', (column, value) => {
    expect(parseAction({ ...rowOf(actionChange(act, half)), [column]: value })).toBeUndefined();
  });
});
