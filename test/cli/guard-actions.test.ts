import { expect, it } from 'vitest';
import { postGuardAction } from '../../src/cli/guard-actions.ts';
import { err, ok } from '../../src/kernel/result.ts';

it('guard action › posts the action and returns the text for its success', async () => {
  const calls: unknown[] = [];
  const api = { call: async (call: unknown) => ok(calls.push(call)), close: async () => undefined };
  expect(await postGuardAction(api, { path: 'pause' }, 'done')).toEqual(ok('done'));
  expect(await postGuardAction(api, { path: 'breakers/reset', body: { cluster: 'prod' } }, 'done')).toEqual(ok('done'));
  expect(calls).toEqual([
    { method: 'POST', path: '/api/v1/guard/pause' },
    { method: 'POST', path: '/api/v1/guard/breakers/reset', body: { cluster: 'prod' } },
  ]);
});

it('guard action › returns the error of the daemon', async () => {
  const api = { call: async () => err('You may not.'), close: async () => undefined };
  expect(await postGuardAction(api, { path: 'pause' }, 'done')).toEqual(err('You may not.'));
});
