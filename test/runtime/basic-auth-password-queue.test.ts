import { describe, expect, it } from 'vitest';
import { PasswordQueue } from '../../src/runtime/basic-auth.ts';
import { FakeClock } from '../support/clock.ts';

/** A queue whose comparisons end when the test says so; the right password of every hash is `right`. */
function setUp() {
  const clock = new FakeClock();
  const asked: { readonly hash: string; readonly answer: () => void; readonly fail: (error: Error) => void }[] = [];
  const queue = new PasswordQueue(
    (password, hash) =>
      new Promise((resolve, reject) => {
        asked.push({ hash, answer: () => resolve(password === 'right'), fail: reject });
      }),
    clock,
  );
  return { clock, asked, queue };
}

describe('comparisons', () => {
  it('are made one at a time, in the order of arrival', async () => {
    const { asked, clock, queue } = setUp();
    const answers = ['a', 'b', 'c'].map((hash) => queue.matches('right', hash));
    await clock.settle();
    expect(asked.map(({ hash }) => hash)).toEqual(['a']);
    asked[0]?.answer();
    await clock.settle();
    expect(asked.map(({ hash }) => hash)).toEqual(['a', 'b']);
    asked[1]?.answer();
    await clock.settle();
    asked[2]?.answer();
    expect(await Promise.all(answers)).toEqual([true, true, true]);
  });

  it('are rejected at once while the queue is full, and accepted after it has drained', async () => {
    const { asked, clock, queue } = setUp();
    const flood = Array.from({ length: 100 }, () => queue.matches('wrong', 'hash'));
    expect(await flood[99]).toBe(false);
    for (let at = 0; at < 16; at += 1) {
      await clock.advance(2_000);
      asked[at]?.answer();
    }
    expect(await Promise.all(flood)).toEqual(flood.map(() => false));
    expect(asked).toHaveLength(16);
    const late = queue.matches('right', 'hash');
    await clock.advance(2_000);
    asked[16]?.answer();
    expect(await late).toBe(true);
  });

  it('continue after one that failed, whose caller gets the error', async () => {
    const { asked, clock, queue } = setUp();
    const [first, second] = [queue.matches('right', 'hash'), queue.matches('right', 'hash')];
    const reported = expect(first).rejects.toThrow('out of memory');
    await clock.settle();
    asked[0]?.fail(new Error('out of memory'));
    await reported;
    await clock.settle();
    asked[1]?.answer();
    expect(await second).toBe(true);
  });
});

describe('the rest after a wrong password', () => {
  it('is in proportion to what it cost, and there is none after a right one', async () => {
    const { asked, clock, queue } = setUp();
    const answers = ['wrong', 'right', 'wrong'].map((password) => queue.matches(password, 'hash'));
    await clock.advance(100);
    asked[0]?.answer();
    expect(await answers[0]).toBe(false);
    await clock.advance(299);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    expect(asked).toHaveLength(2);
    asked[1]?.answer();
    expect(await answers[1]).toBe(true);
    await clock.settle();
    expect(asked).toHaveLength(3);
    asked[2]?.answer();
    expect(await answers[2]).toBe(false);
  });

  it('is two seconds at most, whatever the hash costs', async () => {
    const { asked, clock, queue } = setUp();
    const answers = [queue.matches('wrong', 'hash'), queue.matches('wrong', 'hash')];
    await clock.advance(20_000);
    asked[0]?.answer();
    await clock.advance(1_999);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    asked[1]?.answer();
    expect(await Promise.all(answers)).toEqual([false, false]);
  });
});
