import { describe, expect, it } from 'vitest';
import type { Silence } from '../../../src/alert/alerting.ts';
import { matchersOf } from '../../support/matchers-of.ts';
import { runSilenceCommand, startSilenceApi, wall } from '../silence-api.ts';

const silence: Silence = {
  id: 's1',
  matchers: matchersOf('node="m1"'),
  startsAt: wall,
  endsAt: wall + 3_600_000,
  author: 'alice',
  reason: 'new disks',
};

describe('silence list', () => {
  it('prints active silences as a table', async () => {
    const { url } = await startSilenceApi([silence]);
    const { code, out } = await runSilenceCommand(url, 'list');
    expect(code).toBe(0);
    expect(out).toMatch(/^ID .*\ns1 .* 2026-01-31 13:00:00Z {2}node="m1" {2}alice {3}new disks\n$/);
  });

  it('prints JSON for scripts', async () => {
    const { url } = await startSilenceApi([silence]);
    const { out } = await runSilenceCommand(url, 'list', '--json');
    expect(JSON.parse(out)).toEqual([
      { ...silence, matchers: ['node="m1"'], startsAt: '2026-01-31T12:00:00.000Z', endsAt: '2026-01-31T13:00:00.000Z' },
    ]);
  });

  it('states that there are no silences', async () => {
    const { url } = await startSilenceApi();
    expect((await runSilenceCommand(url, 'list')).out).toBe('no silences\n');
  });
});
