import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionChange, actOf, acts, type OperatorAct } from '../../../src/guard/keeping/action-rows.ts';
import { epoch } from '../listed.ts';
import { rowOf } from './kept-aborts.ts';

const act: OperatorAct = {
  at: epoch,
  what: 'reset_breaker',
  by: 'alice',
  cluster: 'prod',
  subject: 'no_relief runaway',
  reason: 'more memory',
};
const half = { next: () => 0.5 };
const line = fc.string({ maxLength: 100 }).filter((text) => !/\p{Cc}/u.test(text));

describe('the row of an act', () => {
  it('gives it back, whatever it is', () => {
    const fields = { what: fc.constantFrom(...acts), by: line, cluster: line, subject: line, reason: line };
    fc.assert(
      fc.property(fc.record({ at: fc.nat(), ...fields }), (given) => {
        expect(actOf(rowOf(actionChange(given, half)))).toEqual(given);
      }),
    );
  });

  it('is another for one that is alike', () => {
    const chances = [0.1, 0.2];
    const random = { next: () => chances.shift() ?? 0 };
    const [one, other] = [rowOf(actionChange(act, random)), rowOf(actionChange(act, random))];
    expect(one.uid).not.toBe(other.uid);
    expect({ ...one, uid: '' }).toEqual({ ...other, uid: '' });
  });

  it('has what people typed as one line of a certain length', () => {
    const typed = { by: 'a\nb', subject: 'x\u0000y', reason: 'z'.repeat(5000) };
    const read = actOf(rowOf(actionChange({ ...act, ...typed }, half)));
    expect(read).toEqual({ ...act, by: 'a b', subject: 'x y', reason: 'z'.repeat(1000) });
  });

  it.each([
    ['what', 'delete_everything'],
    ['at', null],
    ['actor', 7],
    ['actor', 'a\u001B[2J'],
    ['uid', ''],
    ['reason', null],
  ])('is none with %s %j', (column, value) => {
    expect(actOf({ ...rowOf(actionChange(act, half)), [column]: value })).toBeUndefined();
  });
});
