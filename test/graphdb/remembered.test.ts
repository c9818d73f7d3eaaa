import { expect, it } from 'vitest';
import { remembered } from '../../src/graphdb/remembered.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { factsOf } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';

it('gives a good answer again until its time is over', async () => {
  const clock = new FakeClock();
  let asked = 0;
  const { ask } = remembered<number>(clock, 1000);
  const fresh = async () => {
    asked += 1;
    return ok(asked);
  };
  expect([factsOf(await ask(fresh)), factsOf(await ask(fresh))]).toEqual([1, 1]);
  await clock.advance(1000);
  expect(factsOf(await ask(fresh))).toBe(2);
});

it('does not remember trouble', async () => {
  const answers = [err(failure('timeout', 'x')), ok('good')];
  const { ask } = remembered<string>(new FakeClock(), 1000);
  const fresh = async () => answers.shift() ?? ok('asked too often');
  expect((await ask(fresh)).ok).toBe(false);
  expect([factsOf(await ask(fresh)), factsOf(await ask(fresh))]).toEqual(['good', 'good']);
});

it('forgets when it is told to', async () => {
  const { ask, forget } = remembered<number>(new FakeClock(), 1000);
  await ask(async () => ok(1));
  forget();
  expect(factsOf(await ask(async () => ok(2)))).toBe(2);
});
