import { describe, expect, it } from 'vitest';
import {
  effectMargin,
  isNotOwnedError,
  mayAct,
  mayNotify,
  notOwnedError,
  notOwnedMessage,
  type Ownership,
  type OwnershipView,
  soleOwnership,
} from '../../src/kernel/ownership.ts';

const replica = {
  id: 'r1',
  name: 'host-1',
  url: 'http://host-1:9916',
  version: '1.0.0',
  configHash: 'h',
  settingsHash: 's',
  startedAt: 0,
  seenAt: 0,
  isLive: true,
  isSelf: false,
  clusters: 1,
};

function sharing(view: Partial<OwnershipView>, owned: readonly string[] = []): Ownership {
  return {
    ...soleOwnership,
    isShared: true,
    owns: (cluster) => owned.includes(cluster),
    view: () => ({ ...soleOwnership.view(), ...view }),
  };
}

describe('an effect', () => {
  it('is allowed only if the leases of all its clusters last longer than the margin, and are not given up', () => {
    const left = new Map([
      ['prod', effectMargin + 1],
      ['test', effectMargin],
    ]);
    const ownership = {
      owns: (cluster: string) => left.has(cluster),
      remaining: (name: string) => left.get(name) ?? 5000,
    };
    expect(mayAct(ownership, ['prod'])).toBe(true);
    expect(mayAct(ownership, ['prod', 'test'])).toBe(false);
    expect(mayAct(ownership, ['other'])).toBe(false);
    expect(mayAct(ownership, [])).toBe(true);
  });

  it('that is a notification is allowed while certainly no other replica sends it', () => {
    const left = new Map([['prod', effectMargin + 1]]);
    const ownership = { owns: () => true, notifiable: (name: string) => left.get(name) ?? 0 };
    expect(mayNotify(ownership, ['prod'])).toBe(true);
    expect(mayNotify(ownership, ['prod', 'test'])).toBe(false);
    expect(mayNotify({ ...ownership, owns: () => false }, ['prod'])).toBe(false);
    expect(mayNotify(soleOwnership, ['prod'])).toBe(true);
  });

  it('is always allowed if no other replica shares the state', async () => {
    expect(mayAct(soleOwnership, ['prod'])).toBe(true);
    soleOwnership.subscribe({ onOwnershipChange: () => undefined, onSharedRowsChange: () => undefined });
    soleOwnership.start({ name: '', url: '', version: '', clusters: [], configHash: '', settingsHash: '' });
    soleOwnership.drain();
    await soleOwnership.release(['prod']);
    await soleOwnership.stop();
    expect(soleOwnership.view().replicas).toEqual([]);
  });
});

it('a commit to a cluster of another replica is not a failure of the store', () => {
  expect([notOwnedError('prod'), notOwnedError('')].every(isNotOwnedError)).toBe(true);
  expect(notOwnedError('')).toContain('graphwarden itself');
  expect(isNotOwnedError('the database is away')).toBe(false);
});

describe('the message for a cluster of another replica', () => {
  const owners = [{ cluster: 'prod', owner: 'r1', epoch: 1, since: 0 }];

  it('names the replica and its address', () => {
    expect(notOwnedMessage(sharing({ owners, replicas: [replica] }), 'prod')).toBe(
      "the replica host-1 owns the cluster 'prod'; send the request to http://host-1:9916",
    );
  });

  it('states that no replica owns the cluster', () => {
    expect(notOwnedMessage(sharing({ owners: [], replicas: [replica] }), 'prod')).toBe(
      "no replica owns the cluster 'prod' at present; try again",
    );
  });

  it('is absent for an owned cluster, and without other replicas', () => {
    expect(notOwnedMessage(sharing({}, ['prod']), 'prod')).toBeUndefined();
    expect(notOwnedMessage(soleOwnership, 'prod')).toBeUndefined();
    expect(notOwnedMessage(undefined, 'prod')).toBeUndefined();
  });
});
