import { describe, expect, it } from 'vitest';
import { fetchLicense } from '../../../src/graphdb/endpoints/license.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { FakeClock } from '../../support/clock.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const end = Date.UTC(2027, 0, 31) / 1000;

function read(body: object): ReturnType<typeof fetchLicense> {
  const clock = new FakeClock(Date.UTC(2026, 10, 21, 13));
  const pool = new FakePool(['GET /restpp/showlicenseinfo', answer(body)]);
  return fetchLicense(callerOver(pool, { clock, serverVersion: '4.1' }), neverAborted());
}

describe('the licence', () => {
  it.each([
    [
      { 'Expiration date': '2027-01-31', 'Days remaining': 71 },
      { expiresAtSeconds: end, daysRemaining: 71 },
    ],
    [
      { 'Expiration date': 'Sun Jan 31 00:00:00 UTC 2027', 'Days remaining': '71' },
      { expiresAtSeconds: end, daysRemaining: 71 },
    ],
    [{ 'Days remaining': 71 }, { expiresAtSeconds: end, daysRemaining: 71 }],
    [
      { 'Expiration date': 'in the spring', 'Days remaining': 71 },
      { expiresAtSeconds: end, daysRemaining: 71 },
    ],
    [{ 'Expiration date': '2027-01-31', 'Days remaining': 'many' }, { expiresAtSeconds: end }],
    [{ 'Expiration date': '2027-01-31', 'Days remaining': 1e308 }, { expiresAtSeconds: end }],
    [{ 'Days remaining': -1 }, { expiresAtSeconds: Date.UTC(2026, 10, 20) / 1000, daysRemaining: -1 }],
    [{ 'Expiration date': 'in the spring' }, {}],
  ])('%j is %j', async (info, expected) => {
    expect(factsOf(await read({ error: false, results: [info] }))).toEqual(expected);
    expect(factsOf(await read({ error: false, results: info }))).toEqual(expected);
  });

  it.each([
    { error: false, results: [] },
    { error: false, results: null },
    { error: false, results: ['x'] },
    { error: true, code: 'REST-5000' },
  ])('is body for %j', async (body) => {
    expect(failureOf(await read(body)).reason).toBe('body');
  });
});
