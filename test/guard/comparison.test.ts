import { describe, expect, it } from 'vitest';
import { always, certainlyMeets, intersectTimings, isAsStrict, meets, timingOf } from '../../src/guard/comparison.ts';
import { bound } from './match-inputs.ts';

describe('comparison', () => {
  it.each([
    ['> 5', [false, false, true]],
    ['>= 5', [false, true, true]],
    ['< 5', [true, false, false]],
    ['<= 5', [true, true, false]],
  ])('%s of 4, 5 and 6 is %j', (text, expected) => {
    expect([4, 5, 6].map((value) => meets(bound(text), value))).toEqual(expected);
  });

  it.each([
    ['> 5', { least: 6, most: 9 }, true],
    ['> 5', { least: 5, most: 9 }, false],
    ['>= 5', { least: 5, most: 9 }, true],
    ['< 5', { least: 1, most: 4 }, true],
    ['< 5', { least: 1, most: 5 }, false],
    ['<= 5', { least: 1, most: 5 }, true],
    ['<= 5', { least: 1, most: 6 }, false],
  ])('%s is certainly met by the range %j: %s', (text, range, expected) => {
    expect(certainlyMeets(bound(text), range)).toBe(expected);
  });

  it.each([
    ['> 5', ['> 5', '>= 5', '> 4', '>= 4']],
    ['>= 5', ['>= 5', '> 4', '>= 4']],
    ['< 5', ['< 5', '<= 5', '< 6', '<= 6']],
    ['<= 5', ['<= 5', '< 6', '<= 6']],
  ])('%s is as strict as %j', (text, weaker) => {
    const all = ['>', '>=', '<', '<='].flatMap((sign) => [4, 5, 6].map((value) => `${sign} ${value}`));
    const found = all.filter((other) => isAsStrict(bound(text), bound(other)));
    expect(found.toSorted()).toEqual(weaker.toSorted());
  });

  it('is never met by a value that is not a number', () => {
    for (const text of ['> 5', '>= 5', '< 5', '<= 5']) expect(meets(bound(text), Number.NaN)).toBe(false);
  });
});

describe('comparison over time', () => {
  const range = { least: 90, most: 110 };

  it.each([
    ['> 100', 'grows', { ...always, holds: false, from: 10 }],
    ['> 90', 'grows', { ...always, holds: false, from: 0 }],
    ['>= 90', 'grows', { ...always, holds: true, from: 0 }],
    ['> 80', 'grows', { ...always, holds: true, from: -10 }],
    ['< 120', 'grows', { ...always, holds: true, until: 10 }],
    ['< 110', 'grows', { ...always, holds: false, until: 0 }],
    ['<= 110', 'grows', { ...always, holds: true, until: 0 }],
    ['< 100', 'grows', { ...always, holds: false, until: -10 }],
    ['> 80', 'shrinks', { ...always, holds: true, until: 10 }],
    ['> 100', 'shrinks', { ...always, holds: false, until: -10 }],
    ['< 100', 'shrinks', { ...always, holds: false, from: 10 }],
    ['< 120', 'shrinks', { ...always, holds: true, from: -10 }],
  ] as const)('%s of a value that %s is %j', (text, course, expected) => {
    expect(timingOf(bound(text), range, course)).toEqual(expected);
  });

  it('holds together with another comparison while both hold', () => {
    const one = { holds: true, from: -5, until: 9 };
    expect(intersectTimings(always, one)).toEqual(one);
    expect(intersectTimings(one, { holds: true, from: -3, until: 20 })).toEqual({ holds: true, from: -3, until: 9 });
    expect(intersectTimings(one, { holds: false, from: 4, until: 6 })).toEqual({ holds: false, from: 4, until: 6 });
    expect(intersectTimings({ ...one, holds: false }, always).holds).toBe(false);
  });
});
