import { expect, it } from 'vitest';
import { rejectionLines } from '../../src/cli/rejection-lines.ts';

it('rejection lines › have the time and the problem without control characters', () => {
  const rejection = { since: '2026-09-22T04:53:20.000Z', problem: 'web.yml:3:1: lisen: unknown \u001b[2Jkey' };
  expect(rejectionLines(rejection)).toBe(
    'configuration file rejected since 2026-09-22 04:53:20Z, its last accepted version is in force\n' +
      '  web.yml:3:1: lisen: unknown  [2Jkey\n',
  );
});
