import { expect, it } from 'vitest';
import { createAnswerCache } from '../../../src/graphdb/endpoints/versions.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { factsOf } from '../../support/client.ts';
import { FakeClock } from '../../support/clock.ts';

it('versions cache returns a successful reply until it expires', async () => {
  const clock = new FakeClock();
  let requests = 0;
  const { get } = createAnswerCache<number>(clock, 1000);
  const fresh = async () => {
    requests += 1;
    return ok(requests);
  };
  expect([factsOf(await get(fresh)), factsOf(await get(fresh))]).toEqual([1, 1]);
  await clock.advance(1000);
  expect(factsOf(await get(fresh))).toBe(2);
});

it('versions cache does not store failures', async () => {
  const answers = [err(failure('timeout', 'x')), ok('good')];
  const { get } = createAnswerCache<string>(new FakeClock(), 1000);
  const fresh = async () => answers.shift() ?? ok('requested too often');
  expect((await get(fresh)).ok).toBe(false);
  expect([factsOf(await get(fresh)), factsOf(await get(fresh))]).toEqual(['good', 'good']);
});

it('versions cache requests the versions again after clear', async () => {
  const { get, clear } = createAnswerCache<number>(new FakeClock(), 1000);
  await get(async () => ok(1));
  clear();
  expect(factsOf(await get(async () => ok(2)))).toBe(2);
});
