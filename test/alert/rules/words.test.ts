import { expect, it } from 'vitest';
import { gibibytes, instanceName, lengthOf, moment, percent } from '../../../src/alert/rules/words.ts';

it.each([
  [0, '0 %'],
  [0.054, '5.4 %'],
  [0.0999, '10.0 %'],
  [0.15, '15 %'],
  [1, '100 %'],
])('%d is %s', (ratio, text) => {
  expect(percent(ratio)).toBe(text);
});

it.each([
  [0, '0s'],
  [-5, '0s'],
  [999, '1s'],
  [65_000, '1m5s'],
  [3_600_000, '1h'],
  [90_061_000, '1d1h'],
])('%d ms are %s', (length, text) => {
  expect(lengthOf(length)).toBe(text);
});

it('names instances as the tools of the server do', () => {
  expect(instanceName({ service: 'GPE', partition: '1', replica: '2' })).toBe('GPE_1#2');
  expect(instanceName({ service: 'EXE', partition: '1', replica: '' })).toBe('EXE_1');
  expect(instanceName({ service: 'GSQL', partition: '', replica: '3' })).toBe('GSQL#3');
});

it('writes sizes and moments for people', () => {
  expect(gibibytes(3.25 * 2 ** 30)).toBe('3.3 GiB');
  expect(moment(Date.UTC(2026, 8, 22, 4, 53, 20))).toBe('2026-09-22 04:53 UTC');
});
