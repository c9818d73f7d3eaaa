import { describe, expect, it } from 'vitest';
import { fetchLicense } from '../../../src/graphdb/endpoints/license.ts';
import type { InformantPage } from '../../../src/graphdb/graph-db.ts';
import { ok } from '../../../src/kernel/result.ts';
import { sampleValues } from '../../../src/model/exposition.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { FakeClock } from '../../support/clock.ts';
import { failed } from '../../support/fake-graphdb.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const end = Date.UTC(2027, 0, 31) / 1000;

function read(body: object): ReturnType<typeof fetchLicense> {
  const clock = new FakeClock(Date.UTC(2026, 10, 21, 13));
  const pool = new FakePool(['GET /restpp/showlicenseinfo', answer(body)]);
  return fetchLicense(callerOver(pool, { clock, serverVersion: '4.1' }), noPage, neverAborted());
}

const noPage = async () => failed('status');

/** What a server without the call reports, whose metrics page has these families. */
function readPage(families: InformantPage['families'], status = 404): ReturnType<typeof fetchLicense> {
  const clock = new FakeClock(Date.UTC(2026, 10, 21, 13));
  const absent = answer({}, status);
  const probe = ['GET /restpp/echo', answer({ error: false })] as const;
  const pool = new FakePool(['GET /restpp/showlicenseinfo', absent], ...(status === 404 ? [probe] : []));
  const page = async () => ok({ families, withheld: [], rejected: 0, unconfirmed: 0, prefix: 'svc_' });
  return fetchLicense(callerOver(pool, { clock, serverVersion: '4.1' }), page, neverAborted());
}

function daysLeft(...values: string[]): InformantPage['families'][number] {
  const series = values.map(() => ({ name: 'svc_license_days_left', pairs: [] }));
  return { name: 'svc_license_days_left', type: 'gauge', help: '', series, values: sampleValues(values) };
}

describe('the license', () => {
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
    [['71'], { daysRemaining: 71, expiresAtSeconds: end }],
    [['71', '80', 'NaN'], { daysRemaining: 71, expiresAtSeconds: end }],
    [['-1'], { daysRemaining: -1, expiresAtSeconds: Date.UTC(2026, 10, 20) / 1000 }],
  ])('is that of the metrics page if the server does not have the call: %j', async (values, expected) => {
    expect(factsOf(await readPage([daysLeft(...values)]))).toEqual(expected);
  });

  it('is unknown if neither has it, and the page does not hide another failure', async () => {
    expect(failureOf(await readPage([])).reason).toBe('unsupported');
    expect(failureOf(await readPage([daysLeft('+Inf')])).reason).toBe('unsupported');
    expect(failureOf(await readPage([daysLeft('71')], 403)).reason).toBe('auth');
  });

  it.each([
    { error: false, results: [] },
    { error: false, results: null },
    { error: false, results: ['x'] },
    { error: true, code: 'REST-5000' },
  ])('fails with the reason body for %j', async (body) => {
    expect(failureOf(await read(body)).reason).toBe('body');
  });
});
