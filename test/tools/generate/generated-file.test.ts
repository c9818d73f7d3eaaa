import { describe, expect, it } from 'vitest';
import { table } from '../../../tools/generate/generated-file.ts';

describe('table', () => {
  it('is Markdown', () => {
    expect(table(['a', 'b'], [['1', '2']])).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |');
  });

  it('escapes bars and line breaks', () => {
    expect(table(['a'], [['x|y\n  z']])).toBe('| a |\n| --- |\n| x\\|y z |');
  });

  it('may be empty', () => {
    expect(table(['a'], [])).toBe('| a |\n| --- |');
  });
});
