import { describe, expect, it } from 'vitest';
import { durationField, nonNegativeDurationField } from '../../src/graphdb/settings-fields.ts';

describe('durationField', () => {
  it.each([
    ['250ms', 250],
    ['10s', 10_000],
    ['1h30m', 5_400_000],
    ['36500d', 3_153_600_000_000],
  ])('reads %s', (text, length) => {
    expect(durationField.parse(text)).toBe(length);
  });

  it.each([
    ['0s', 'must be longer than 0s'],
    ['0.1ms', 'must be 1ms or longer'],
    ['36501d', 'must not be longer than 36500d'],
    [`${'9'.repeat(400)}d`, 'must not be longer than 36500d'],
    ['10', 'is not a duration: write a number with a unit, such as 250ms, 10s, 5m or 1h30m'],
    ['', 'is not a duration: write a number with a unit, such as 250ms, 10s, 5m or 1h30m'],
    ['hunter-canary', 'is not a duration: write a number with a unit, such as 250ms, 10s, 5m or 1h30m'],
  ])('rejects %j without repeating it', (text, message) => {
    expect(durationField.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});

describe('nonNegativeDurationField', () => {
  it.each([
    ['0s', 0],
    ['10s', 10_000],
  ])('reads %s', (text, length) => {
    expect(nonNegativeDurationField.parse(text)).toBe(length);
  });

  it.each(['', '-1s', 'hunter-canary'])('rejects %j without repeating it', (text) => {
    expect(nonNegativeDurationField.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual([
      'is not a duration: write 0s, 10s or 5m',
    ]);
  });

  it('refuses a duration whose end has no date', () => {
    const { error } = nonNegativeDurationField.safeParse('99999999999d');
    expect(error?.issues.map(({ message }) => message)).toEqual(['must not be longer than 36500d']);
  });
});
