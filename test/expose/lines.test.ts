import { describe, expect, it } from 'vitest';
import { renderLines } from '../../src/expose/lines.ts';
import { endless, restless, rowsOf, textIn } from './fragments.ts';

const first = [
  ['1', '10'],
  ['ä😀', '-2.5'],
  ['3', ''],
] as const;

describe('lines', () => {
  it('are prefix, value and line feed, with the offset of each part', async () => {
    const lines = await renderLines(rowsOf('a', first), undefined, endless());
    expect(textIn(lines.bytes)).toBe('a{x="1"} 10\na{x="ä😀"} -2.5\na{x="3"} \n');
    const parts = lines.keys.map((_, at) => [
      textIn(lines.bytes.subarray(lines.offsets[2 * at], lines.offsets[2 * at + 1])),
      textIn(lines.bytes.subarray(lines.offsets[2 * at + 1], lines.offsets[2 * at + 2])),
    ]);
    expect(parts).toEqual([
      ['a{x="1"} ', '10\n'],
      ['a{x="ä😀"} ', '-2.5\n'],
      ['a{x="3"} ', '\n'],
    ]);
    expect(lines.offsets[6]).toBe(lines.bytes.length);
  });

  it('are empty without rows', async () => {
    const lines = await renderLines(rowsOf('a', []), undefined, endless());
    expect([lines.bytes.length, lines.keys, lines.repeated]).toEqual([0, [], 0]);
    expect((await renderLines(rowsOf('a', []), lines, endless())).bytes.length).toBe(0);
  });

  it('copy their prefixes if the keys are the same in the same order', async () => {
    const before = await renderLines(rowsOf('a', first), undefined, endless());
    const rows = rowsOf(
      'a',
      first.map(([x], at) => [x, `${at}`.repeat(at + 1)] as const),
    );
    const unasked = { ...rows, prefix: () => expect.fail('nothing is to be rendered') };
    const lines = await renderLines(unasked, before, endless());
    expect(textIn(lines.bytes)).toBe('a{x="1"} 0\na{x="ä😀"} 11\na{x="3"} 222\n');
    const again = await renderLines(unasked, lines, endless());
    expect(textIn(again.bytes)).toBe(textIn(lines.bytes));
    expect(before.bytes).not.toBe(lines.bytes);
  });

  it('do not overwrite bytes that a response may be sending', async () => {
    const before = await renderLines(rowsOf('a', first), undefined, endless());
    const text = textIn(before.bytes);
    await renderLines(
      rowsOf(
        'a',
        first.map(([x]) => [x, '9'] as const),
      ),
      before,
      endless(),
    );
    expect(textIn(before.bytes)).toBe(text);
  });

  it.each([
    ['one more', [...first, ['4', '4']]],
    ['one less', first.slice(1)],
    ['another order', [first[1], first[0], first[2]]],
    ['another key', [first[0], ['2', '2'], first[2]]],
  ] as const)('are rendered completely after %s', async (_, rows) => {
    const before = await renderLines(rowsOf('a', first), undefined, endless());
    const lines = await renderLines(rowsOf('a', rows), before, endless());
    expect(textIn(lines.bytes)).toBe(rows.map(([x, value]) => `a{x="${x}"} ${value}\n`).join(''));
    expect(lines.keys).toHaveLength(rows.length);
  });

  it('drop duplicates in every rendering', async () => {
    const rows = rowsOf('a', [...first, ['1', '11'], ['3', '33']]);
    const once = await renderLines(rows, undefined, endless());
    expect(once.repeated).toBe(2);
    const twice = await renderLines(rows, once, endless());
    expect(twice.repeated).toBe(2);
    expect(textIn(twice.bytes)).toBe(textIn(once.bytes));
    expect(once.keys).toHaveLength(3);
  });

  it('yield to other work between slices', async () => {
    const afresh = restless();
    const before = await renderLines(manyRows('1'), undefined, afresh);
    expect(afresh.rests()).toBeGreaterThanOrEqual(40);
    const copied = restless();
    await renderLines(manyRows('2'), before, copied);
    expect(copied.rests()).toBeGreaterThanOrEqual(10);
  });
});

function manyRows(value: string) {
  return rowsOf(
    'a',
    Array.from({ length: 10_000 }, (_, at) => [`${at}`, value] as const),
  );
}
