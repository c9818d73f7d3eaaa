import { hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { comparePasswordsIn, passwordWork } from '../../src/runtime/password-worker.ts';
import { passwordWorker } from '../support/live-ports.ts';

const hash = hashSync('right', 4);

describe('the comparison', () => {
  it.each([
    ['the right password', ['right', hash], true],
    ['a wrong one', ['wrong', hash], false],
    ['something that is no hash', ['right', 'hash'], false],
    ['half a request', ['right'], false],
    ['no list', 'right', false],
    ['nothing', undefined, false],
  ])('of %s', async (_case, request, expected) => {
    expect(await passwordWork(request)).toBe(expected);
  });

  it.each([
    [true, true],
    [false, false],
    [undefined, false],
    ['true', false],
  ])('answered with %j is %j', async (answer, expected) => {
    const requests: unknown[] = [];
    const request = async (value: unknown): Promise<unknown> => {
      requests.push(value);
      return answer;
    };
    expect(await comparePasswordsIn({ request })('p', 'h')).toBe(expected);
    expect(requests).toEqual([['p', 'h']]);
  });
});

describe("the program's own worker", () => {
  it('compares without blocking the event loop', async () => {
    const worker = passwordWorker();
    const compare = comparePasswordsIn(worker);
    const dear = hashSync('right', 12);
    expect(await compare('right', hash)).toBe(true);
    for (const password of ['right', 'wrong']) {
      const over = new AbortController();
      const answer = compare(password, dear).finally(() => over.abort());
      let turns = 0;
      for (; !over.signal.aborted; turns += 1) await systemClock.yieldToEventLoop();
      expect(await answer).toBe(password === 'right');
      // In this thread the work would leave room for a few turns; beside it there are thousands.
      expect(turns).toBeGreaterThan(100);
    }
    await worker.stop();
  });
});
