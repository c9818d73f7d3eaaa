import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, reduceJson } from '../../src/graphdb/sliced-json.ts';

/** The value, and how often the work could have been interrupted. */
function parse(text: string): { readonly value: unknown; readonly pauses: number } {
  const work = parseJson(Buffer.from(text));
  for (let pauses = 0; ; pauses += 1) {
    const step = work.next();
    if (step.done === true) return { value: step.value, pauses };
  }
}

/** What the digits rule makes of a number that has been rounded already. */
function withDigits(_key: string, any: unknown): unknown {
  return typeof any === 'number' && !Number.isSafeInteger(any) && /^-?\d+$/.test(String(any)) ? String(any) : any;
}

/** Returns the parsed text as a string, or a marker for a rejected text. */
function outcome(read: (text: string) => unknown, text: string): string {
  try {
    return JSON.stringify(read(text));
  } catch (error) {
    if (error instanceof SyntaxError) return 'no JSON';
    throw error;
  }
}

const value = (text: string): unknown => parse(text).value;

/** JSON with parts above the size at which containers are walked. */
const largeJson = fc
  .record({
    part: fc.jsonValue({ maxDepth: 2 }),
    levels: fc.integer({ min: 1, max: 3 }),
    inObjects: fc.boolean(),
    size: fc.constantFrom(100, 3000, 70_000),
  })
  .map(({ part, levels, inObjects, size }) => {
    const count = Math.ceil(140_000 / size);
    let whole: unknown = Array.from({ length: count }, (_, at) => ({ at, part, pad: 'x'.repeat(size) }));
    for (let level = 0; level < levels; level += 1) whole = inObjects ? { a: 1, whole, 'b"}': [] } : [whole, 'after'];
    return JSON.stringify(whole);
  });

describe('parseJson', () => {
  it('returns the same as JSON.parse, for any small value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (any) => {
        const text = JSON.stringify(any);
        expect(value(text)).toEqual(JSON.parse(text, withDigits));
      }),
    );
  });

  it('returns the same as JSON.parse, for large values', () => {
    fc.assert(
      fc.property(largeJson, (text) => {
        expect(outcome(value, text)).toBe(outcome((any) => JSON.parse(any, withDigits), text));
      }),
      { numRuns: 30 },
    );
  });

  it('rejects the same as JSON.parse: large texts with one character removed or replaced', () => {
    const where = fc.double({ min: 0, max: 1, noNaN: true });
    const character = fc.constantFrom('', '"', ',', '}', ']', '{', '\\', ':');
    fc.assert(
      fc.property(largeJson, where, character, (text, part, put) => {
        const at = Math.floor(part * (text.length - 1));
        const damaged = text.slice(0, at) + put + text.slice(at + 1);
        expect(outcome(value, damaged)).toBe(outcome((any) => JSON.parse(any, withDigits), damaged));
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['unexpected comma', (rest: string) => `[${rest},]`],
    ['a comma too many after something large', (rest: string) => `[${rest.slice(0, -2)},]`],
    ['a comma too few', (rest: string) => `[${rest} 1]`],
    ['an empty place', (rest: string) => `[${rest},,1]`],
    ['the wrong bracket', (rest: string) => `[${rest}}`],
    ['no bracket', (rest: string) => `[${rest}`],
    ['something behind', (rest: string) => `[${rest}] 1`],
    ['two values', (rest: string) => `[${rest}][]`],
    ['no key', (rest: string) => `{"a":[${rest}],:1}`],
    ['a key that is no text', (rest: string) => `{1:[${rest}]}`],
    ['a key twice quoted', (rest: string) => `{""a":[${rest}]}`],
    ['no colon', (rest: string) => `{"a" [${rest}]}`],
    ['no value', (rest: string) => `{"b":[${rest}],"a":}`],
    ['nothing but a bracket', (rest: string) => `${' '.repeat(rest.length)}[`],
  ])('rejects %s in a large text', (_what, build) => {
    const text = build(`"${'x'.repeat(80_000)}",1`);
    expect(outcome(JSON.parse, text)).toBe('no JSON');
    expect(outcome(value, text)).toBe('no JSON');
  });

  it.each([
    ['{"a\tb":"c\nd","e":[1]}', { 'a\tb': 'c\nd', e: [1] }],
    ['{"a":"\\"\r\n\\u0041\0"}', { a: '"\r\nA\0' }],
    ['{\n"a":\t"\u0085\u001f"\n}', { a: '\u0085\u001f' }],
  ])('reads raw control characters in the strings of %j', (text, expected) => {
    expect(value(text)).toEqual(expected);
    expect(value(`[${text},"${'x'.repeat(70_000)}\n"]`)).toEqual([expected, `${'x'.repeat(70_000)}\n`]);
  });

  it.each([
    ['control character outside of a string', '{"a":\u0001"b"}'],
    ['string without end', '{"a":"b\n'],
    ['escaped line feed', '{"a":"\\\n"}'],
    ['sequence of 40,001 short strings', '"\n'.repeat(40_001)],
    ['sequence of 40,001 escaped quotes', '"\\"\n'.repeat(40_001)],
  ])('rejects a %s, although it accepts raw control characters in strings', (_, text) => {
    expect(outcome(value, text)).toBe('no JSON');
  });

  it('keeps the digits of integers that a double would round', () => {
    const text =
      '{"hash":7021447382900136911,"neg":-9223372036854775808,"safe":9007199254740991,"exp":1e30,"list":[12345678901234567]}';
    expect(value(text)).toEqual({
      hash: '7021447382900136911',
      neg: '-9223372036854775808',
      safe: 9007199254740991,
      exp: 1e30,
      list: ['12345678901234567'],
    });
    expect(value('12345678901234567890')).toBe('12345678901234567890');
    expect(value('{"text":"12345678901234567890"}')).toEqual({ text: '12345678901234567890' });
  });

  it('keeps the digits of integers in large texts', () => {
    const entries = Array.from({ length: 2000 }, () => '{"hash":7021447382900136911,"pad":"xxxxxxxxxxxxxxxxxxxxxxxx"}');
    const read = value(`{"results":[${entries.join()}]}`);
    expect(read).toEqual({ results: entries.map(() => ({ hash: '7021447382900136911', pad: 'x'.repeat(24) })) });
  });

  it('treats __proto__ like any other name', () => {
    const read = value(`{"pad":"${'x'.repeat(70_000)}","__proto__":{"polluted":true}}`);
    expect(Object.hasOwn(read as object, '__proto__')).toBe(true);
    expect((read as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('yields to other work during a list of 100,000', () => {
    const text = JSON.stringify({
      error: false,
      results: Array.from({ length: 100_000 }, (_, at) => ({ id: `id-${at}`, url: '/query/g/q' })),
    });
    const { value: read, pauses } = parse(text);
    expect((read as { results: unknown[] }).results).toHaveLength(100_000);
    expect(pauses).toBeGreaterThan(text.length / 65_536);
  });

  it('handles hostile nesting', () => {
    const deep = 100_000;
    expect(outcome(value, '['.repeat(deep))).toBe('no JSON');
    expect(outcome(value, '[{"a":'.repeat(deep))).toBe('no JSON');
    let inner = value(`${'['.repeat(deep)}${']'.repeat(deep)}`);
    let levels = 0;
    for (; Array.isArray(inner); levels += 1) [inner] = inner;
    expect(levels).toBe(deep);
  });
});

/** The reduced text, and its containers that the text of large ones became. */
function reduceTo(text: string, members?: string[]) {
  const containers: string[] = [];
  const sink = {
    text: '',
    get length() {
      return Buffer.byteLength(sink.text);
    },
    write: (piece: string) => {
      sink.text += piece;
    },
    container: (begin: number) => void containers.push(Buffer.from(sink.text).subarray(begin).toString()),
  };
  const work = reduceJson(Buffer.from(text), new Map(), members, sink);
  for (let step = work.next(); step.done !== true; ) step = work.next();
  return { reduced: sink.text, containers };
}

function reduce(text: string, members?: string[]): string {
  return reduceTo(text, members).reduced;
}

describe('reduceJson', () => {
  it('copies the value of JSON.parse', () => {
    fc.assert(
      fc.property(largeJson, (text) => {
        expect(reduce(text)).toBe(JSON.stringify(JSON.parse(text, withDigits)));
      }),
    );
  });

  it('keeps the named members only, of large and small objects', () => {
    fc.assert(
      fc.property(largeJson, (text) => {
        const members = ['whole', 'at', 'pad'];
        expect(reduce(text, members)).toBe(JSON.stringify(JSON.parse(text, withDigits), members));
      }),
    );
  });

  it('states each large container when it is complete', () => {
    const list = `[${'1,'.repeat(40_000)}1]`;
    expect(reduceTo(`{"a": ${list}, "b": [2], "c": ${list}}`, ['a', 'b']).containers).toEqual([
      list,
      `{"a":${list},"b":[2]}`,
    ]);
    expect(reduceTo(`{"c":${list}}`, ['a'])).toEqual({ reduced: '{}', containers: ['{}'] });
  });

  it.each(['[1,]', '{"a":1', '[1}', '{a:1}', `[${'"x",'.repeat(40_000)}]`])('throws for $0', (text) => {
    expect(() => reduce(text)).toThrow(SyntaxError);
  });
});
