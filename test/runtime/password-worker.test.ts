import { hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { watchLoopGap } from '../../src/runtime/loop-gap.ts';
import { comparedBy, comparePasswords } from '../../src/runtime/password-worker.ts';
import { passwordWorker } from '../support/live-ports.ts';

const hash = hashSync('right', 4);

describe('the comparison', () => {
  it.each([
    ['the right password', ['right', hash], true],
    ['a wrong one', ['wrong', hash], false],
    ['something that is no hash', ['right', 'hash'], false],
    ['half a question', ['right'], false],
    ['no list', 'right', false],
    ['nothing', undefined, false],
  ])('of %s', async (_case, question, expected) => {
    expect(await comparePasswords(question)).toBe(expected);
  });

  it.each([
    [true, true],
    [false, false],
    [undefined, false],
    ['true', false],
  ])('answered with %j is %j', async (answer, expected) => {
    const questions: unknown[] = [];
    const ask = async (question: unknown): Promise<unknown> => {
      questions.push(question);
      return answer;
    };
    expect(await comparedBy({ ask })('p', 'h')).toBe(expected);
    expect(questions).toEqual([['p', 'h']]);
  });
});

describe("the program's own worker", () => {
  it('compares while the event loop goes on: no pause comes near the length of the work', async () => {
    const worker = passwordWorker();
    const compare = comparedBy(worker);
    const dear = hashSync('right', 12);
    expect(await compare('right', hash)).toBe(true);
    const gap = watchLoopGap(systemClock);
    const begun = systemClock.now().mono;
    expect(await compare('right', dear)).toBe(true);
    expect(await compare('wrong', dear)).toBe(false);
    const took = systemClock.now().mono - begun;
    gap.stop();
    expect(gap.longest()).toBeLessThan(took / 6);
    await worker.stop();
  });
});
