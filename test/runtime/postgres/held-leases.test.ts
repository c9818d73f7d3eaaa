import { describe, expect, it } from 'vitest';
import { HeldLeases, leaseLength } from '../../../src/runtime/postgres/held-leases.ts';

const sent = { mono: 1000, wall: 50_000 };
const later = (mono: number, wall = mono) => ({ mono: sent.mono + mono, wall: sent.wall + wall });

function holding(...clusters: readonly string[]): HeldLeases {
  const held = new HeldLeases();
  held.take(
    clusters.map((cluster) => ({ cluster, epoch: 1 })),
    sent,
  );
  return held;
}

describe('the remaining time of a lease', () => {
  it('counts from before its request was sent', () => {
    const held = holding('prod');
    expect(held.remaining('prod', later(0))).toBe(leaseLength);
    expect(held.remaining('prod', later(9999))).toBe(1);
    expect(held.remaining('prod', later(leaseLength + 1))).toBe(0);
    expect(held.remaining('other', later(0))).toBe(0);
  });

  it('counts the clock that went further: one of them stops while the machine is suspended', () => {
    const held = holding('prod');
    expect(held.remaining('prod', later(100, 3_600_000))).toBe(0);
    expect(held.remaining('prod', later(9000, -3_600_000))).toBe(1000);
  });

  it('starts again with a renewal, from before that was sent', () => {
    const held = holding('prod');
    const granted = held.granted();
    expect(held.renew(granted, granted, later(5000))).toEqual({ lost: [] });
    expect(held.remaining('prod', later(12_000))).toBe(3000);
  });
});

describe('a renewal', () => {
  it('ends the leases that the database did not renew', () => {
    const held = holding('prod', 'test');
    const granted = held.granted();
    expect(held.renew(granted, [{ cluster: 'prod', epoch: 1 }], later(5000))).toEqual({ lost: ['test'] });
    expect(held.owns('test')).toBe(false);
    expect(held.remaining('test', later(0))).toBe(0);
    expect(held.owns('prod')).toBe(true);
  });

  it('does not affect a lease that was released and taken again since', () => {
    const held = holding('prod');
    const granted = held.granted();
    held.remove('prod');
    held.take([{ cluster: 'prod', epoch: 3 }], later(100));
    expect(held.renew(granted, [], later(50))).toEqual({ lost: [] });
    expect(held.epochOf('prod')).toBe(3);
  });
});

describe('a lease that was lost', () => {
  it('is unreleased until its effects have ended', () => {
    const held = holding('prod', 'test');
    held.renew(held.granted(), [{ cluster: 'test', epoch: 1 }], later(5000));
    held.leave(['test']);
    expect([...held.unreleased()]).toEqual(['test', 'prod']);
    expect(held.remove('prod')).toBeUndefined();
    expect([...held.unreleased()]).toEqual(['test']);
  });
});

describe('a lease that is given up', () => {
  it('lasts until it is released, but its cluster is no longer monitored', () => {
    const held = holding('prod');
    expect(held.leave(['prod', 'other'])).toEqual(['prod']);
    expect(held.leave(['prod'])).toEqual([]);
    expect(held.owns('prod')).toBe(false);
    expect(held.remaining('prod', later(1000))).toBe(9000);
    expect([...held.leaving()]).toEqual(['prod']);
    expect(held.remove('prod')).toEqual({ cluster: 'prod', epoch: 1 });
    expect(held.remove('prod')).toBeUndefined();
    expect(held.remaining('prod', later(1000))).toBe(0);
  });
});
