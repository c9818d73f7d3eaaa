import { describe, expect, it } from 'vitest';
import { OwnershipFollower, replicaRegistration } from '../../src/app/ownership-follower.ts';
import type { Config } from '../../src/config/config.ts';
import type { Ownership, OwnershipListener } from '../../src/kernel/ownership.ts';
import { soleOwnership } from '../../src/kernel/ownership.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';
import { SerialQueue } from '../../src/kernel/serial-queue.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';
import { clusterOf, configOf } from './fakes.ts';

/** Ownership that a test gives and takes. */
class GivenOwnership implements Pick<Ownership, 'owns' | 'subscribe' | 'release'> {
  readonly owned = new Set<string>();
  readonly unreleased = new Set<string>();
  readonly released: string[] = [];
  #listener: OwnershipListener | undefined;

  owns(cluster: string): boolean {
    return this.owned.has(cluster);
  }

  subscribe(listener: OwnershipListener): void {
    this.#listener = listener;
  }

  async release(clusters: Iterable<string>): Promise<void> {
    this.released.push(...clusters);
    for (const cluster of clusters) this.unreleased.delete(cluster);
  }

  change(...owned: readonly string[]): void {
    this.owned.clear();
    for (const cluster of owned) this.owned.add(cluster);
    this.#listener?.onOwnershipChange();
  }
}

function followed(results: Result<void, string>[] = []) {
  const clock = new FakeClock();
  const given = new GivenOwnership();
  const calls: string[] = [];
  const queue = new SerialQueue();
  const ownership = { ...soleOwnership, isShared: true, ...bound(given) };
  const follower = new OwnershipFollower(
    { clock, log: recordingLogger(), ownership, queue },
    {
      clusters: () => ['prod', 'test'],
      gain: async (clusters) => {
        calls.push(`gain ${[...clusters].join(' ')}`);
        return results.shift() ?? ok(undefined);
      },
      poll: async (clusters) => void calls.push(`poll ${[...clusters].join(' ')}`),
      lose: async (clusters) => void calls.push(`lose ${[...clusters].join(' ')}`),
    },
  );
  follower.start(() => undefined);
  return { clock, given, calls, follower };
}

function bound(given: GivenOwnership): Pick<Ownership, 'owns' | 'subscribe' | 'release' | 'unreleased'> {
  return {
    owns: (cluster) => given.owns(cluster),
    subscribe: (listener) => given.subscribe(listener),
    release: (clusters) => given.release(clusters),
    unreleased: () => given.unreleased,
  };
}

describe('the follower of ownership', () => {
  it('gains and loses clusters together, and releases the lost ones', async () => {
    const { clock, given, calls, follower } = followed();
    given.change('', 'prod', 'test');
    await clock.settle();
    expect(calls).toEqual(['gain  prod test']);
    expect(follower.isFollowed('prod')).toBe(true);
    given.change('prod');
    await clock.settle();
    expect(calls.slice(1)).toEqual(['lose  test']);
    expect(given.released).toEqual(['', 'test']);
    expect(follower.isFollowed('test')).toBe(false);
  });

  it('ends the polls of a cluster that is given up before its state is restored, and releases it', async () => {
    const { clock, given, calls, follower } = followed([err('away')]);
    given.change('prod');
    await clock.settle();
    given.unreleased.add('prod');
    given.change();
    await clock.settle();
    expect(calls).toEqual(['gain prod', 'poll prod', 'lose prod']);
    expect(given.released).toEqual(['prod']);
    expect(follower.isFollowed('prod')).toBe(false);
  });

  it('polls while the store cannot be read, retries the read, and tracks no cluster until then', async () => {
    const { clock, given, calls, follower } = followed([err('the store is away'), err('the store is away')]);
    given.change('prod');
    await clock.settle();
    expect(follower.isFollowed('prod')).toBe(false);
    await clock.advance(1000);
    await clock.advance(1000);
    expect(calls).toEqual(['gain prod', 'poll prod', 'gain prod', 'gain prod']);
    expect(follower.isFollowed('prod')).toBe(true);
  });

  it('does not follow clusters that are not configured', async () => {
    const { clock, given, calls } = followed();
    given.change('elsewhere');
    await clock.settle();
    expect(calls).toEqual([]);
  });
});

it('replicas with other clusters or other nodes have another hash', () => {
  const about = { name: 'a', url: 'http://a', version: '1' };
  const hashOf = (...clusters: readonly ReturnType<typeof clusterOf>[]) =>
    replicaRegistration(configOf(clusters), about, digest).configHash;
  const [prod, test] = [clusterOf('prod', ['m1']), clusterOf('test', ['m1'])];
  expect(hashOf(prod, test)).toBe(hashOf(test, prod));
  expect(hashOf(prod)).not.toBe(hashOf(prod, test));
  expect(hashOf(prod)).not.toBe(hashOf(clusterOf('prod', ['m2'])));
});

it('the hash of settings differs for other settings, and not for another address', () => {
  const about = { name: 'a', url: 'http://a', version: '1' };
  const config = configOf([clusterOf('prod', ['m1'])]);
  const hashOf = (changed: Partial<Config>) =>
    replicaRegistration({ ...config, ...changed }, about, digest).settingsHash;
  expect(hashOf({})).toMatch(/^[0-9a-f]{16}$/);
  expect(hashOf({ clusters: [], listen: { host: '::', port: 1 }, stateDir: '/other' })).toBe(hashOf({}));
  expect(hashOf({ guard: { ...config.guard, mode: 'enforce' } })).not.toBe(hashOf({}));
  expect(hashOf({ collectors: {} })).not.toBe(hashOf({}));
});
