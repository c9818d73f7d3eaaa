import { getTasks } from 'node-cron';
import { expect, it } from 'vitest';
import { cron } from '../../src/runtime/system-ports.ts';

it('calendar › calls at the instants of the expression, and no more once it is stopped', async () => {
  const cycles = Promise.withResolvers<void>();
  const begun = Date.now();
  let calls = 0;
  const { stop, next } = cron('* * * * * *', () => {
    calls += 1;
    cycles.resolve();
  });
  await cycles.promise;
  expect(next()).toBeGreaterThan(begun);
  stop();
  expect(calls).toBe(1);
  expect(getTasks().size).toBe(0);
});

it('calendar expressions accept common forms', () => {
  for (const expression of ['0 3 * * SUN', '*/5 * * * *', '0 0 1 JAN *', '0 3 * * 1-5']) {
    cron(expression, () => {}).stop();
  }
  expect(getTasks().size).toBe(0);
});

it('calendar expressions reject other texts', () => {
  expect(() => cron('whenever', () => {})).toThrow("'whenever' is not a cron expression");
  expect(() => cron('61 * * * *', () => {})).toThrow('is not a cron expression');
});
