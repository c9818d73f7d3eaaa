import { describe, expect, it } from 'vitest';
import { MemoryBudget, type MemoryClaim } from '../../src/runtime/reply-memory.ts';
import { neverAborted } from '../support/client.ts';

/** Memory of a process of which one reply may have 100 bytes, and all together 300. */
const process = 1600;

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A budget, and the owners of the replies that have memory, in the order in which they got it. */
function setUp(budget = new MemoryBudget(process)) {
  const granted: string[] = [];
  const releases = new Map<string, () => void>();
  async function claim(owner: string, bytes: number, more: Partial<MemoryClaim> = {}, signal = neverAborted()) {
    const release = await budget.reserve({ owner, bytes, isForGuard: false, ...more }, signal);
    granted.push(release === undefined ? `not ${owner}` : owner);
    if (release !== undefined) releases.set(owner, release);
  }
  const release = async (owner: string) => {
    releases.get(owner)?.();
    await settled();
  };
  return { budget, granted, claim, release };
}

const guard = { isForGuard: true };

describe('the memory for long replies', () => {
  it('is a part of the memory of the process, by default of its limit or of the host', () => {
    expect(new MemoryBudget(process)).toMatchObject({ largestReply: 100, use: { limit: 300, reserved: 0, waits: 0 } });
    const { limit } = new MemoryBudget().use;
    expect(limit).toBeGreaterThan(1_048_576);
    expect(limit).toBeLessThanOrEqual((1024 * 1_048_576 * 3) / 16);
  });

  it('is given to replies as long as they fit, and then in the order of their requests', async () => {
    const { budget, granted, claim, release } = setUp();
    void claim('a', 60);
    void claim('b', 40);
    void claim('large', 70);
    void claim('small', 10);
    await settled();
    expect(granted).toEqual(['a', 'b']);
    expect(budget.use).toEqual({ limit: 300, reserved: 100, waits: 2 });
    await release('b');
    expect(granted).toEqual(['a', 'b']);
    await release('a');
    expect(granted).toEqual(['a', 'b', 'large', 'small']);
  });

  it('is granted to one reply per node at a time, so that a node does not delay others', async () => {
    const { granted, claim, release } = setUp();
    for (const owner of ['evil', 'evil', 'evil', 'good']) void claim(owner, 20);
    await settled();
    expect(granted).toEqual(['evil', 'good']);
    await release('evil');
    expect(granted).toEqual(['evil', 'good', 'evil']);
  });

  it('is never used up for the guard by other replies', async () => {
    const { granted, claim } = setUp();
    for (const owner of ['a', 'b', 'c']) void claim(owner, 100);
    await settled();
    for (const owner of ['list 1', 'list 2', 'list 3']) void claim(owner, 100, guard);
    await settled();
    expect(granted).toEqual(['a', 'list 1', 'list 2']);
  });

  it('waits for a reply to the guard only if all of it is used', async () => {
    const { granted, claim, release } = setUp();
    for (const owner of ['list 1', 'list 2', 'list 3']) void claim(owner, 100, guard);
    void claim('a', 10);
    await settled();
    expect(granted).toEqual(['list 1', 'list 2', 'list 3']);
    await release('list 2');
    expect(granted).toEqual(['list 1', 'list 2', 'list 3', 'a']);
  });

  it('is not kept for a reply that no longer waits', async () => {
    const { budget, granted, claim, release } = setUp();
    const given = new AbortController();
    void claim('a', 100);
    void claim('given up', 100, {}, given.signal);
    void claim('b', 50);
    void claim('late', 1, {}, AbortSignal.abort());
    given.abort();
    await settled();
    expect(granted).toEqual(['a', 'not late', 'not given up']);
    await release('a');
    expect(granted.at(-1)).toBe('b');
    expect(budget.use.reserved).toBe(50);
  });

  it('is returned once, even if a reply is released several times', async () => {
    const { budget, claim, release } = setUp();
    void claim('a', 30);
    void claim('b', 30);
    await settled();
    await release('a');
    await release('a');
    expect(budget.use.reserved).toBe(30);
  });

  it('follows the configured memory, and suffices for at least one reply', async () => {
    const { budget, granted, claim, release } = setUp();
    void claim('a', 100);
    void claim('b', 100);
    budget.limitProcess(2 * process);
    await settled();
    expect(granted).toEqual(['a', 'b']);
    void claim('c', 90);
    budget.limitProcess(process / 2);
    await release('a');
    expect(granted).toEqual(['a', 'b']);
    await release('b');
    expect(granted).toEqual(['a', 'b', 'c']);
  });

  it('keeps the memory of one reply for the next one, if it is not large', () => {
    const budget = new MemoryBudget(process);
    const [much, little, second] = [new Uint8Array(100), new Uint8Array(100), new Uint8Array(100)];
    budget.keepSpare(much, 51);
    budget.keepSpare(little, 50);
    budget.keepSpare(second, 10);
    expect([much.length, little.length, second.length]).toEqual([0, 100, 0]);
    expect(budget.takeSpare(101)).toBeUndefined();
    expect(budget.takeSpare(100)).toBe(little);
    expect(budget.takeSpare(1)).toBeUndefined();
  });
});
