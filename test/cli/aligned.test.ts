import { describe, expect, it } from 'vitest';
import { aligned, printable } from '../../src/cli/aligned.ts';

describe('aligned rows', () => {
  it('have columns that stand below each other', () => {
    expect(
      aligned([
        ['A', 'B', 'C'],
        ['long', 'x', ''],
        ['y', '', 'z'],
      ]),
    ).toBe('A     B  C\nlong  x\ny        z\n');
  });

  it('of nothing are an empty line', () => {
    expect(aligned([])).toBe('\n');
  });
});

describe('what is printable', () => {
  it.each([
    ['Online', 'Online'],
    ['\u001B[31mred\u0007', ' [31mred '],
    ['two\r\nlines', 'two lines'],
    ['Zürich', 'Zürich'],
  ])('%j becomes %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});
