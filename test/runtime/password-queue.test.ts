import { describe, expect, it } from 'vitest';
import { PasswordQueue } from '../../src/runtime/password-queue.ts';
import { FakeClock } from '../support/clock.ts';

const here = { address: '10.0.0.1', user: 'alice' };

/** A queue whose comparisons end when the test says so; the right password of every hash is `right`. */
function setUp() {
  const clock = new FakeClock();
  const comparisons: { readonly hash: string; readonly answer: () => void; readonly fail: (error: Error) => void }[] =
    [];
  const queue = new PasswordQueue(
    (password, hash) =>
      new Promise((resolve, reject) => {
        comparisons.push({ hash, answer: () => resolve(password === 'right'), fail: reject });
      }),
    clock,
  );
  /** Answers comparisons until all outcomes are known. */
  const settle = async <T>(outcomes: readonly Promise<T>[]): Promise<readonly T[]> => {
    const done = new AbortController();
    const all = Promise.all(outcomes).finally(() => done.abort());
    while (!done.signal.aborted) {
      for (const { answer } of comparisons) answer();
      await clock.advance(2_000);
    }
    return await all;
  };
  return { clock, comparisons, queue, settle };
}

describe('comparisons', () => {
  it('are made one at a time, in the order of arrival', async () => {
    const { comparisons, clock, queue } = setUp();
    const answers = ['a', 'b', 'c'].map((hash) => queue.matches('right', hash, here));
    await clock.settle();
    expect(comparisons.map(({ hash }) => hash)).toEqual(['a']);
    comparisons[0]?.answer();
    await clock.settle();
    expect(comparisons.map(({ hash }) => hash)).toEqual(['a', 'b']);
    comparisons[1]?.answer();
    await clock.settle();
    comparisons[2]?.answer();
    expect(await Promise.all(answers)).toEqual([true, true, true]);
  });

  it('are bounded, without an answer that the password is wrong', async () => {
    const { comparisons, queue, settle } = setUp();
    const flood = Array.from({ length: 100 }, () => queue.matches('wrong', 'hash', here));
    const outcomes = await settle(flood);
    expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(95);
    expect(comparisons).toHaveLength(5);
    expect(await settle([queue.matches('right', 'hash', here)])).toEqual([true]);
  });

  it('continue after a failed one, whose caller gets the error', async () => {
    const { comparisons, clock, queue } = setUp();
    const [first, second] = [queue.matches('right', 'hash', here), queue.matches('right', 'hash', here)];
    const reported = expect(first).rejects.toThrow('out of memory');
    await clock.settle();
    comparisons[0]?.fail(new Error('out of memory'));
    await reported;
    await clock.settle();
    comparisons[1]?.answer();
    expect(await second).toBe(true);
  });
});

const addresses = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `10.0.1.${at}`);

describe('a flood of wrong passwords', () => {
  it.each([
    ['another address', ['10.0.0.2'], ['alice']],
    ['the same address with another user name', ['10.0.0.1'], ['mallory']],
    ['the same address with some user names', ['10.0.0.1'], ['mallory', 'eve', 'root']],
    ['one IPv6 network', addresses(24).map((_, at) => `2001:db8:1:2::${at}`), ['alice']],
    ['many addresses', addresses(16), ['alice']],
  ])('from %s delays a correct password by one comparison and one pause', async (_, from, names) => {
    const { comparisons, clock, queue, settle } = setUp();
    const flood = (): readonly Promise<boolean | 'busy'>[] =>
      from.flatMap((address) =>
        names.flatMap((user) => [1, 2, 3].map(() => queue.matches('wrong', 'x', { address, user }))),
      );
    await settle(flood());
    const known = comparisons.length;
    const outcomes = flood();
    await clock.settle();
    const right = queue.matches('right', 'right', here);
    expect(await settle([right])).toEqual([true]);
    expect(comparisons.slice(known).findIndex(({ hash }) => hash === 'right')).toBe(1);
    await settle(outcomes);
  });

  it('of the same user name at the same address makes a correct one busy, never wrong', async () => {
    const { queue, settle } = setUp();
    const flood = Array.from({ length: 24 }, () => queue.matches('wrong', 'x', here));
    expect(await queue.matches('right', 'right', here)).toBe('busy');
    expect(await settle(flood)).not.toContain(true);
    expect(await settle([queue.matches('right', 'right', here)])).toEqual([true]);
  });
});

describe('the pause after a wrong password', () => {
  it('is in proportion to its cost, and absent after a correct password', async () => {
    const { comparisons, clock, queue } = setUp();
    const answers = ['wrong', 'right', 'wrong'].map((password) => queue.matches(password, 'hash', here));
    await clock.advance(100);
    comparisons[0]?.answer();
    expect(await answers[0]).toBe(false);
    await clock.advance(299);
    expect(comparisons).toHaveLength(1);
    await clock.advance(1);
    expect(comparisons).toHaveLength(2);
    comparisons[1]?.answer();
    expect(await answers[1]).toBe(true);
    await clock.settle();
    expect(comparisons).toHaveLength(3);
    comparisons[2]?.answer();
    expect(await answers[2]).toBe(false);
  });

  it('is two seconds at most, for any cost of the hash', async () => {
    const { comparisons, clock, queue } = setUp();
    const answers = [queue.matches('wrong', 'hash', here), queue.matches('wrong', 'hash', here)];
    await clock.advance(20_000);
    comparisons[0]?.answer();
    await clock.advance(1_999);
    expect(comparisons).toHaveLength(1);
    await clock.advance(1);
    comparisons[1]?.answer();
    expect(await Promise.all(answers)).toEqual([false, false]);
  });
});
