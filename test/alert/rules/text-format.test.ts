import { expect, it } from 'vitest';
import { formatGibibytes, formatPercent, instanceName } from '../../../src/alert/rules/text-format.ts';

it.each([
  [0, '0 %'],
  [0.054, '5.4 %'],
  [0.0999, '10.0 %'],
  [0.15, '15 %'],
  [1, '100 %'],
])('%d is %s', (ratio, text) => {
  expect(formatPercent(ratio)).toBe(text);
});

it('names instances as the tools of the server do', () => {
  expect(instanceName({ service: 'GPE', partition: '1', replica: '2' })).toBe('GPE_1#2');
  expect(instanceName({ service: 'EXE', partition: '1', replica: '' })).toBe('EXE_1');
  expect(instanceName({ service: 'GSQL', partition: '', replica: '3' })).toBe('GSQL#3');
});

it('formats sizes in GiB', () => {
  expect(formatGibibytes(3.25 * 2 ** 30)).toBe('3.3 GiB');
});
