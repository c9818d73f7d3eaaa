import { describe, expect, it } from 'vitest';
import type { MutationOperator } from '../../../campaigns/mutate/mutation.ts';
import { mutationsIn } from './mutations.ts';

const cases: readonly (readonly [operator: MutationOperator, text: string, slips: readonly string[]])[] = [
  ['comparison', 'f(a < b);', ['a < b → a <= b', 'a < b → a >= b']],
  ['comparison', 'f(a <= b);', ['a <= b → a < b', 'a <= b → a > b']],
  ['comparison', 'f(a > b);', ['a > b → a >= b', 'a > b → a <= b']],
  ['comparison', 'f(a >= b);', ['a >= b → a > b', 'a >= b → a < b']],
  ['equality', 'f(a === b);', ['a === b → a !== b']],
  ['equality', 'f(a !== b);', ['a !== b → a === b']],
  ['logic', 'f(a && b);', ['a && b → (a || b)']],
  ['logic', 'f(a || b);', ['a || b → (a && b)']],
  ['logic', 'f(a ?? b);', ['a ?? b → (a && b)']],
  ['logic', 'f(a && b && c);', ['a && b && c → ((a && b) || c)', 'a && b → (a || b)']],
  ['logic', 'f(a || b < c);', ['a || b < c → (a && b < c)']],
  ['arithmetic', 'f(a + b);', ['a + b → a - b']],
  ['arithmetic', 'f(a * b % c);', ['a * b % c → a * b * c', 'a * b → a / b']],
  ['arithmetic', 'a += 1;', ['a += 1 → a -= 1']],
  ['arithmetic', 'a++;', ['a++ → a--']],
  ['arithmetic', '--a;', ['--a → ++a']],
  ['literal', 'f(true, false);', ['true → false', 'false → true']],
  ['literal', "f('a', 7, null);", []],
  ['condition', 'if (a) f();', ['a → true', 'a → false']],
  ['condition', 'f(a ? b : c);', ['a → true', 'a → false']],
  ['condition', 'while (a) f();', ['a → false']],
  ['condition', 'for (;;) f();', []],
  ['negation', 'f(!a, -b, +c, typeof d);', ['!a → a', '-b → b']],
  ['emptiness', 'const f = () => a;', ['a → undefined']],
  ['emptiness', 'function f() { return a; }', ['return a; → return undefined;']],
  ['emptiness', 'function f() { return undefined; }', []],
  ['emptiness', 'function f() { return; }', []],
  ['emptiness', 'f([a], [], { b: 1 }, {});', ['[a] → []', '{ b: 1 } → {}']],
  ['emptiness', 'f(`${a}`, `a`);', ['`${a}` → ``']],
  ['method', 'a.some(f);', ['some → every']],
  ['method', 'a.every(f);', ['every → some']],
  ['method', 'a.find(f);', ['find → findLast']],
  ['method', 'f(Math.min(a, b));', ['min → max']],
  ['method', 'f(a.filter(g));', ['a.filter(g) → a']],
  ['method', 'f(a.b().toSorted());', ['a.b().toSorted() → a.b()']],
  ['method', 'some(f); a.constructor(f); a[0](f);', []],
];

describe('the mutations', () => {
  it.each(cases)('of %s in %s', (operator, text, slips) => {
    expect(mutationsIn(text, operator).toSorted()).toEqual(slips.toSorted());
  });
});
