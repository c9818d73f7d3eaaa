import { expect, it } from 'vitest';
import { statementStatus } from '../../../src/simulator/endpoints/statements.ts';
import { callOn, jsonOf, noon, worldOf } from '../test-world.ts';

it('an export statement has ended, and a load statement runs until its input is invalid', async () => {
  const world = worldOf({ scenario: 'bad_load' });
  const request = (requestId: string) => jsonOf(statementStatus(callOn(world, { path: { requestId } })));
  expect(await request('export.1')).toMatchObject({
    error: false,
    message: 'SUCCESS',
    endTime: expect.stringContaining(' '),
  });
  expect(await request('load.2')).toMatchObject({ error: false, message: 'RUNNING', endTime: '' });
  world.advance(noon + 60_000);
  expect(await request('load.2')).toMatchObject({ error: true, message: 'FAILED' });
  expect(await request('other')).toMatchObject({ error: true });
});

it('a load statement runs for half an hour at most', async () => {
  const world = worldOf({ scenario: 'calm' });
  world.advance(noon + 31 * 60_000);
  const reply = await jsonOf(statementStatus(callOn(world, { path: { requestId: 'load.2' } })));
  expect(reply).toMatchObject({ error: false, message: 'SUCCESS', endTime: expect.stringContaining(' ') });
});
