import { expect, it } from 'vitest';
import { jsonReply, parseJson, textReply } from '../../src/model/simulated-receiver.ts';

it('replies with JSON and with text', () => {
  expect(jsonReply({ a: 1 })).toEqual({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect(textReply('no', 400)).toMatchObject({ status: 400, body: 'no' });
});

it('simulated receiver › parses JSON, and returns undefined for other text', () => {
  expect(parseJson('{"a":1}')).toEqual({ a: 1 });
  expect(parseJson('')).toBeUndefined();
  expect(parseJson('ok')).toBeUndefined();
});
