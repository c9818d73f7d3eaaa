import { describe, expect, it } from 'vitest';
import type { LeaseChange } from '../../../../campaigns/failover/evidence.ts';
import { LeaseHistory } from '../../../../campaigns/failover/oracle/lease-history.ts';

function change(at: number, replica: number, isOwned = true): LeaseChange {
  return { at, cluster: 'c1', replica, owner: isOwned ? `${replica}` : undefined, expiresAt: at + 10_000 };
}

describe('LeaseHistory', () => {
  const history = new LeaseHistory([change(1000, 0), change(6000, 0), change(17_000, 1), change(18_000, 1, false)]);

  it('returns the owner with the time of the takeover, not of the latest renewal', () => {
    expect(history.ownerAt('c1', 7000)).toEqual({ replica: 0, since: 1000 });
    expect(history.ownerAt('c1', 17_500)).toEqual({ replica: 1, since: 17_000 });
  });

  it.each([
    ['before the first lease', 999],
    ['after the end of a lease', 16_000],
    ['after a release', 18_000],
  ])('returns no owner %s', (_, at) => {
    expect(history.ownerAt('c1', at)).toBeUndefined();
    expect(history.belongsToOther('c1', 0, at)).toBe(false);
  });

  it('returns whether another replica owns a cluster', () => {
    expect(history.belongsToOther('c1', 0, 17_500)).toBe(true);
    expect(history.belongsToOther('c1', 1, 17_500)).toBe(false);
    expect(history.belongsToOther('c2', 1, 17_500)).toBe(false);
  });
});
