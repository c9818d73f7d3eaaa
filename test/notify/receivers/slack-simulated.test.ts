import { expect, it } from 'vitest';
import { receivedAt } from '../../simulator/receivers/request-fixtures.ts';
import { twinOf } from '../../support/simulated-receivers.ts';

it('simulated Slack › stores a text and responds with the plain text ok', () => {
  const { reply, kept } = twinOf('slack').handle('{"text":"m1 is gone"}', receivedAt);
  expect(reply).toMatchObject({ status: 200, body: 'ok' });
  expect(kept).toEqual([{ action: 'message', key: '', episode: '', summary: 'm1 is gone' }]);
});

it('simulated Slack › parses each line, with the incident id at its end', () => {
  const text = 'FIRING critical: m1 is gone (a1b2-3)\n• m2 was gone (c4-12, 04:05 to 04:06)\nRESOLVED (soon)';
  const { kept } = twinOf('slack').handle(JSON.stringify({ text }), receivedAt);
  expect(kept.map(({ episode }) => episode)).toEqual(['a1b2-3', 'c4-12', '']);
  expect(kept.map(({ summary }) => summary).join('\n')).toBe(text);
});

it('simulated Slack › accepts blocks without a text', () => {
  expect(twinOf('slack').handle('{"blocks":[{"type":"divider"}]}', receivedAt).reply.status).toBe(200);
});

it.each([
  ['oops', 'invalid_payload'],
  ['{"text":3}', 'invalid_payload'],
  ['{}', 'no_text'],
  ['{"text":"","blocks":[]}', 'no_text'],
])('simulated Slack › rejects %s with an error code', (body, word) => {
  expect(twinOf('slack').handle(body, receivedAt)).toMatchObject({ kept: [], reply: { status: 400, body: word } });
});
