import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRegex, isWithinSizeLimit } from '../../src/guard/regex-matcher.ts';
import { parseRegex, type Regex } from '../../src/guard/regex-parser.ts';

function treeOf(text: string): Regex {
  const read = parseRegex(text);
  if (!read.ok) throw new Error(`${text} ${read.error}`);
  return read.value;
}

/** Short, for the engine that they are compared with goes back and forth. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'B', '7', '_', '-', ' ', '\n', '🙂'), maxLength: 6 });

const single = fc.constantFrom(
  'a',
  'b',
  '_',
  '🙂',
  '.',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\n',
  '\\.',
  '[ab]',
  '[^ab]',
  '[a-c7]',
  '[^\\d_-]',
  '[\\s🙂]',
);
const times = fc.constantFrom('', '', '*', '+', '?', '{2}', '{0}', '{0,2}', '{1,3}', '{2,}', '{0,}');

/** Expressions of these parts, as many of them in a row as may be. */
function rows(part: fc.Arbitrary<string>, alternatives: number): fc.Arbitrary<string> {
  const row = fc.array(part, { maxLength: 3 }).map((parts) => parts.join(''));
  return fc.array(row, { minLength: 1, maxLength: alternatives }).map((all) => all.join('|'));
}

function grouped(expression: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    single,
    expression.map((inside) => `(${inside})`),
  );
}

function repeated(part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(part, times).map(([one, often]) => one + often);
}

/** No repetition is within another: what goes back and forth would never come to an end. */
const flat = rows(repeated(grouped(rows(grouped(rows(single, 2)), 2))), 3);
const nested = rows(repeated(grouped(rows(repeated(grouped(rows(repeated(single), 3))), 3))), 3);

/** Where a match that begins at `start` can end: every way is followed, each place once. */
function endsOf(tree: Regex, given: readonly string[], start: number): ReadonlySet<number> {
  if (tree.kind === 'character') {
    const one = given[start];
    return new Set(one !== undefined && tree.accepts(one) ? [start + 1] : []);
  }
  if (tree.kind === 'choice') return new Set(tree.parts.flatMap((part) => [...endsOf(part, given, start)]));
  const after = (starts: ReadonlySet<number>, part: Regex) =>
    new Set([...starts].flatMap((at) => [...endsOf(part, given, at)]));
  if (tree.kind === 'sequence') return tree.parts.reduce<ReadonlySet<number>>(after, new Set([start]));
  let reached: ReadonlySet<number> = new Set([start]);
  for (let count = 0; count < tree.min; count += 1) reached = after(reached, tree.part);
  // Each further time either reaches a new place or nothing new ever again.
  for (let count = tree.min; count < Math.min(tree.max, tree.min + given.length + 1); count += 1) {
    reached = new Set([...reached, ...after(reached, tree.part)]);
  }
  return reached;
}

describe('regex matcher', () => {
  it('has the same result as the built-in engine for whole texts', () => {
    let matched = 0;
    fc.assert(
      fc.property(flat, fc.array(text, { minLength: 1, maxLength: 8 }), (inside, texts) => {
        const accepts = compileRegex(treeOf(`^(${inside})$`));
        const oracle = new RegExp(`^(?:${inside})$`, 'su');
        for (const one of ['', ...texts]) {
          expect([one, accepts(one)]).toEqual([one, oracle.test(one)]);
          if (accepts(one)) matched += 1;
        }
      }),
      { numRuns: 1000 },
    );
    expect(matched).toBeGreaterThan(500);
  });

  it('has the same result as a backtracking matcher for nested repetitions', () => {
    let matched = 0;
    fc.assert(
      fc.property(nested, fc.array(text, { minLength: 1, maxLength: 4 }), (inside, texts) => {
        const tree = treeOf(`^(${inside})$`);
        fc.pre(isWithinSizeLimit(tree));
        const accepts = compileRegex(tree);
        for (const one of ['', ...texts]) {
          const characters = Array.from(one);
          expect([one, accepts(one)]).toEqual([one, endsOf(tree, characters, 0).has(characters.length)]);
          if (accepts(one)) matched += 1;
        }
      }),
      { numRuns: 500 },
    );
    expect(matched).toBeGreaterThan(200);
  });

  it.each([
    ['^(a+)+$', 'a', 'b'],
    ['^(a|a)*$', 'a', 'b'],
    ['^(a|aa)+$', 'a', '!'],
    ['^(.*)*x$', 'y', 'y'],
    ['^(\\w+\\s?)*$', 'w', '!'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a', '!'],
    ['^(.?){200}$', 'a', 'b'],
  ])('%s has linear time for texts that cause exponential backtracking', (expressionText, filling, end) => {
    const small = steps(expressionText, filling.repeat(1000) + end);
    const large = steps(expressionText, filling.repeat(4000) + end);
    expect(large).toBeLessThanOrEqual(small * 4 + 1000);
  });

  it('has the same result if the cache is too small', () => {
    const accepts = compileRegex(treeOf('^[^a]*(ab|ba){2}.{0,3}$'));
    const oracle = /^[^a]*(ab|ba){2}.{0,3}$/su;
    const flood = Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + at));
    expect(accepts(`${flood.join('')}abba`)).toBe(true);
    for (const [at, one] of flood.entries()) {
      const given = `${one}${at % 3 === 0 ? 'abab' : 'baab'}${one.repeat(at % 5)}`;
      expect(accepts(given)).toBe(oracle.test(given));
    }
  });

  it('has the same result for an expression with more states than the cache', () => {
    const accepts = compileRegex(treeOf('^(a|b)*a(a|b){12}$'));
    const oracle = /^[ab]*a[ab]{12}$/;
    for (let seed = 0; seed < 3000; seed += 1) {
      const given = `${(seed * 7919).toString(2)}${seed.toString(2)}`.replaceAll('0', 'a').replaceAll('1', 'b');
      expect(accepts(given)).toBe(oracle.test(given));
    }
  });

  it('terminates for repetitions of an empty text', () => {
    const accepts = compileRegex(treeOf('^((a*)*|()+)*b$'));
    expect([accepts('aab'), accepts('b'), accepts('aa')]).toEqual([true, true, false]);
  });
});

/** How many characters are compared: the same on every machine, unlike seconds. */
function steps(expressionText: string, given: string): number {
  let compared = 0;
  compileRegex(counting(treeOf(expressionText), () => (compared += 1)))(given);
  return compared;
}

function counting(tree: Regex, count: () => void): Regex {
  if (tree.kind === 'repeat') return { ...tree, part: counting(tree.part, count) };
  if (tree.kind !== 'character') return { ...tree, parts: tree.parts.map((part) => counting(part, count)) };
  return {
    kind: 'character',
    accepts: (one) => {
      count();
      return tree.accepts(one);
    },
  };
}

describe('compiled expression', () => {
  it.each([
    ['^a{999}$', true],
    ['^(a{998}|)b$', false],
    ['^b(a{499,}){1}c{497}$', true],
    ['^b(a{499,}){1}c{498}$', false],
    ['^(a{30}){30}$', true],
    ['^(a{100}){100}$', false],
    ['^((((a{9}){9}){9}){9}){9}$', false],
    ['^(a{1000}|b{1000})$', false],
    ['^(a{1000})*$', false],
    ['^(a{400,}){1}$', true],
    ['^(){1000}$', false],
  ])('%s stays small: %s', (expressionText, expected) => {
    expect(isWithinSizeLimit(treeOf(expressionText))).toBe(expected);
  });
});
