import { describe, expect, it } from 'vitest';
import { license } from '../../src/collect/license.ts';
import { ok } from '../../src/kernel/result.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

describe('license', () => {
  it.each([
    [{ expiresAtSeconds: 1_801_353_600, daysRemaining: 71 }, 1_801_353_600],
    [{ expiresAtSeconds: 1_700_000_000 }, 1_700_000_000],
    [{ expiresAtSeconds: 0, daysRemaining: -1 }, 0],
  ])('shows the end of %j, also when it is past', async (answer, seconds) => {
    const { error, lines } = await pollOnce(license, { license: ok(answer) });
    expect(error).toBeUndefined();
    expect(lines).toEqual([`graphdb_license_expiration_timestamp_seconds ${seconds}`]);
  });

  it('fails without a date, because a missing series would look like a license without end', async () => {
    const { error, lines } = await pollOnce(license, { license: ok({}) });
    expect(error?.reason).toBe('body');
    expect(error?.message).toContain('showlicenseinfo on m1');
    expect(lines).toEqual([]);
  });

  it('returns a failure unchanged', async () => {
    const { error, lines } = await pollOnce(license, { license: failed('status') });
    expect(error?.reason).toBe('status');
    expect(lines).toEqual([]);
  });
});
