import { describe, expect, it } from 'vitest';
import { formatTable, formatTimeCell } from '../../src/cli/table.ts';
import { replaceControlCharacters } from '../../src/kernel/visible-text.ts';

describe('table', () => {
  it('aligns its columns', () => {
    expect(
      formatTable([
        ['A', 'B', 'C'],
        ['long', 'x', ''],
        ['y', '', 'z'],
      ]),
    ).toBe('A     B  C\nlong  x\ny        z\n');
  });

  it('without rows is an empty line', () => {
    expect(formatTable([])).toBe('\n');
  });
});

describe('control characters', () => {
  it.each([
    ['Online', 'Online'],
    ['\u001B[31mred\u0007', ' [31mred '],
    ['two\r\nlines', 'two lines'],
    ['Zürich', 'Zürich'],
  ])('of %j are replaced: %j', (text, shown) => {
    expect(replaceControlCharacters(text)).toBe(shown);
  });
});

describe('table on a terminal', () => {
  const rows = [
    ['ID', 'SUMMARY'],
    ['7', 'The data disk of host m1 is nearly full'],
  ];

  it('wraps the widest column at the width of the terminal', () => {
    expect(formatTable(rows, { columns: 30 })).toBe(
      ['ID  SUMMARY', '7   The data disk of host m1', '    is nearly full', ''].join('\n'),
    );
  });

  it('breaks a long word instead of truncating it', () => {
    const text = formatTable([['ID'], ['x'.repeat(40)]], { columns: 30 });
    expect(text.match(/x/g)).toHaveLength(40);
    expect(text.split('\n').every((line) => line.length <= 30)).toBe(true);
  });

  it('is not wrapped if the column would be too narrow', () => {
    expect(formatTable(rows, { columns: 12 })).toBe(formatTable(rows));
  });

  it('hides the last columns that do not fit, and names them', () => {
    const wide = rows.map((row, at) => [...row, at === 0 ? 'CLUSTER' : 'production']);
    expect(formatTable(wide, { columns: 30, wide: false })).toBe(
      ['ID  SUMMARY', '7   The data disk of host m1', '    is nearly full', 'not shown: CLUSTER (--wide)', ''].join(
        '\n',
      ),
    );
    expect(formatTable(wide, { columns: 30, wide: true })).toBe(formatTable(wide));
  });

  it('shrinks the widest columns first and does not break an ID', () => {
    const id = '65687.RESTPP_1_2.1795271976309.N';
    const text = formatTable(
      [
        ['ID', 'TEXT', 'TIME'],
        [id, 'word '.repeat(30), '2026-01-31 12:00:00Z'],
      ],
      {
        columns: 80,
        wide: false,
      },
    );
    expect(text).toContain(id);
    expect(text).toContain('2026-01-31 12:00:00Z');
    expect(text.split('\n').every((line) => line.length <= 80)).toBe(true);
  });

  it('breaks the words of the only column that is left', () => {
    const text = formatTable(
      [
        ['ID', 'B'],
        ['x'.repeat(50), 'y'],
      ],
      { columns: 12, wide: false },
    );
    expect(text.match(/x/g)).toHaveLength(50);
    expect(text.split('\n').every((line) => line.length <= 12)).toBe(true);
  });

  it('has a bold header if the terminal has colours', () => {
    expect(formatTable(rows, { hasColors: true }).split('\n')[0]).toBe(
      '\u001B[1mID\u001B[22m  \u001B[1mSUMMARY\u001B[22m',
    );
  });

  it('aligns characters of double width', () => {
    const lines = formatTable([
      ['名前', 'x'],
      ['ab', 'y'],
    ]).split('\n');
    expect(lines.slice(0, 2)).toEqual(['名前  x', 'ab    y']);
  });
});

it.each([
  ['2026-01-31T12:00:00.250Z', '2026-01-31 12:00:00Z'],
  ['', '-'],
])('formats the timestamp %j as %j', (timestamp, cell) => {
  expect(formatTimeCell(timestamp)).toBe(cell);
});
