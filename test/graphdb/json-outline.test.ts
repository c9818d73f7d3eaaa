import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineJson } from '../../src/graphdb/json-outline.ts';
import { parseJson } from '../../src/graphdb/sliced-json.ts';
import type { SlicedWork } from '../../src/graphdb/sliced-work.ts';
import { factsOf } from '../support/client.ts';

const limits = { bytes: 1_000_000, values: 5000, entries: 1000 };

function run<T>(work: SlicedWork<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The limit that a text exceeds. */
function excess(text: string, given = limits): string | undefined {
  const outline = run(outlineJson(Buffer.from(text), given));
  return outline.ok ? undefined : outline.error.limit;
}

describe('outlineJson', () => {
  it.each([
    ['depth', '['.repeat(33), '['.repeat(32)],
    ['depth', '{"a":'.repeat(9000), '{"a":[]}'],
    ['entries', `[${'1,'.repeat(1000)}1]`, `[${'1,'.repeat(999)}]`],
    ['entries', `{${'"a":1,'.repeat(1001)}}`, `{${'"a":1,'.repeat(998)}"b":2}`],
    ['values', `[${'[1,1,1,1,1,1,1,1,1],'.repeat(600)}]`, `[${'[1,1,1,1,1],'.repeat(600)}]`],
    ['text', `["${'x'.repeat(300_000)}"]`, `["${'x'.repeat(200_000)}"]`],
    ['text', `["${'\\"'.repeat(200_000)}"]`, `["${'\\"'.repeat(100_000)}"]`],
    ['text', `[${'1'.repeat(300_000)}]`, `[${'1'.repeat(200_000)}]`],
    ['text', ' '.repeat(300_000), ' '.repeat(200_000)],
  ])('rejects a text over the limit of %s, and no other (case %$)', (limit, over, within) => {
    expect(excess(over)).toBe(limit);
    expect(excess(within)).toBeUndefined();
  });

  it('ignores brackets inside of strings', () => {
    const text = JSON.stringify({ a: '[{,'.repeat(20_000), 'b"[': '\\' });
    expect(excess(text, { ...limits, values: 2 })).toBeUndefined();
  });

  it('does not throw on any text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', ':', '1', ' ')), (parts) => {
        expect([undefined, 'depth']).toContain(excess(parts.join('')));
      }),
    );
  });

  it('allows the parser to skip large containers with the same result', () => {
    const inner = Array.from({ length: 90 }, (_, at) => ({ at, pad: ' ]},"['.repeat(200) }));
    const value = { first: [[inner, { ' deep ': { inner } }], 'x'], second: inner, third: 3 };
    for (const text of [JSON.stringify(value), ` ${JSON.stringify(value, undefined, 2)}\n`]) {
      const outline = factsOf(run(outlineJson(Buffer.from(text), limits)));
      expect(outline.size).toBeGreaterThan(4);
      expect(run(parseJson(Buffer.from(text), outline))).toEqual(value);
    }
  });
});
