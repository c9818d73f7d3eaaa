import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { RequestTurns } from '../../src/runtime/request-turns.ts';

it('request turns › starts one request in each turn of the event loop, of one client after the other', async () => {
  const turns = new RequestTurns();
  const started: string[] = [];
  const request = (client: string, name: string) => turns.next(client).then(() => started.push(name));
  for (const name of ['a1', 'a2', 'a3']) void request('a', name);
  void request('b', 'b1');
  for (const expected of [['a1'], ['a1', 'b1'], ['a1', 'b1', 'a2'], ['a1', 'b1', 'a2', 'a3']]) {
    await nextTurn();
    expect(started).toEqual(expected);
  }
  void request('b', 'b2');
  await nextTurn();
  expect(started.at(-1)).toBe('b2');
});
