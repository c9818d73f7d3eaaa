import { describe, expect, it } from 'vitest';
import { scim } from '../../src/collect/scim.ts';
import { ok } from '../../src/kernel/result.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

describe('scim', () => {
  it('shows the numbers of users and groups', async () => {
    const { lines } = await pollOnce(scim, { scimUsers: ok(12), scimGroups: ok(0) });
    expect(lines).toEqual(['graphdb_scim_users 12', 'graphdb_scim_groups 0']);
  });

  it.each(['unsupported', 'auth'] as const)('returns the failure %s of each request unchanged', async (reason) => {
    for (const script of [{ scimUsers: failed(reason) }, { scimUsers: ok(1), scimGroups: failed(reason) }]) {
      const { error, lines } = await pollOnce(scim, script);
      expect([error?.reason, lines]).toEqual([reason, []]);
    }
  });
});
