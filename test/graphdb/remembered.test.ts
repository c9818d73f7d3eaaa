import { expect, it } from 'vitest';
import { remembered } from '../../src/graphdb/remembered.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { factsOf, patient } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';

it('gives a good answer again until its time is over', async () => {
  const clock = new FakeClock();
  let asked = 0;
  const { ask } = remembered(clock, 1000, async () => {
    asked += 1;
    return ok(asked);
  });
  expect([factsOf(await ask(patient())), factsOf(await ask(patient()))]).toEqual([1, 1]);
  await clock.advance(1000);
  expect(factsOf(await ask(patient()))).toBe(2);
});

it('does not remember trouble', async () => {
  const answers = [err(failure('timeout', 'x')), ok('good')];
  const { ask } = remembered(new FakeClock(), 1000, async () => answers.shift() ?? ok('asked too often'));
  expect((await ask(patient())).ok).toBe(false);
  expect([factsOf(await ask(patient())), factsOf(await ask(patient()))]).toEqual(['good', 'good']);
});

it('forgets when it is told to', async () => {
  let asked = 0;
  const { ask, forget } = remembered(new FakeClock(), 1000, async () => {
    asked += 1;
    return ok(asked);
  });
  await ask(patient());
  forget();
  expect(factsOf(await ask(patient()))).toBe(2);
});
