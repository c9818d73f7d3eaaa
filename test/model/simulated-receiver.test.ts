import { expect, it } from 'vitest';
import { jsonReply, textReply } from '../../src/model/simulated-receiver.ts';

it('simulated receiver › replies with JSON and with text', () => {
  expect(jsonReply({ a: 1 })).toEqual({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect(textReply('no', 400)).toMatchObject({ status: 400, body: 'no' });
});
