import { describe, expect, it } from 'vitest';
import type { Reading } from '../../../crash/evidence.ts';
import { servedOf } from '../../../crash/oracle/served.ts';
import { begin, reading } from '../logs.ts';

/** `Online 1000-2000`: status, when it was asked for first, and when it must have been noticed. */
function told(...readings: readonly Reading[]): readonly string[] {
  const { stretches } = servedOf('GPE_1#1', readings);
  return stretches.map(({ status, from, until }) => `${status} ${from - begin}-${until - begin}`);
}

describe('what must have been noticed', () => {
  it.each<[string, readonly Reading[], readonly string[]]>([
    ['the last reading, whenever', [reading(0, 100, 'Online')], ['Online 100-Infinity']],
    [
      'two in a row',
      [reading(0, 100, 'Down'), reading(0, 200, 'Down'), reading(0, 300, 'Online')],
      ['Down 100-200', 'Online 300-Infinity'],
    ],
    [
      'not one alone',
      [reading(0, 100, 'Down'), reading(0, 200, 'Online'), reading(0, 300, 'Online')],
      ['Online 200-Infinity'],
    ],
    ['many in a row once', [100, 200, 300].map((at) => reading(0, at, 'Down')), ['Down 100-Infinity']],
    [
      'one before a kill and one after, by the life that goes on',
      [reading(0, 100, 'Down'), reading(1, 200, 'Down'), reading(1, 300, 'Online')],
      ['Down 100-300', 'Online 300-Infinity'],
    ],
  ])('%s', (_, readings, expected) => {
    expect(told(...readings)).toEqual(expected);
  });

  it('is not what nobody lived to write down, which is counted', () => {
    const readings = [reading(0, 100, 'Down'), reading(1, 200, 'Down'), reading(2, 300, 'Online')];
    expect(told(...readings)).toEqual(['Online 300-Infinity']);
    expect(servedOf('GPE_1#1', readings).unseen).toBe(1);
  });

  it('is not what came too late, so that another node was asked', () => {
    const readings = [reading(0, 100, 'Down'), { ...reading(0, 200, 'Down'), node: 2 }, reading(1, 300, 'Online')];
    expect(told(...readings)).toEqual(['Online 300-Infinity']);
  });

  it('is of this instance alone', () => {
    expect(servedOf('GPE_1#2', [reading(0, 100, 'Down')])).toEqual({ stretches: [], unseen: 0 });
  });
});
