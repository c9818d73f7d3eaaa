import { expect, it } from 'vitest';
import { slack } from '../../../../src/simulator/receivers/kinds/slack.ts';
import { night } from '../letters.ts';

it('keeps a text and says ok, in these two letters', () => {
  const { reply, kept } = slack.take('{"text":"m1 is gone"}', night);
  expect(reply).toMatchObject({ status: 200, body: 'ok' });
  expect(kept).toEqual([{ action: 'message', key: '', episode: '', summary: 'm1 is gone' }]);
});

it('reads line by line, with the id of an episode where one ends in it', () => {
  const text = 'FIRING critical: m1 is gone (a1b2-3)\n• m2 was gone (c4-12, 04:05 to 04:06)\nRESOLVED (soon)';
  const { kept } = slack.take(JSON.stringify({ text }), night);
  expect(kept.map(({ episode }) => episode)).toEqual(['a1b2-3', 'c4-12', '']);
  expect(kept.map(({ summary }) => summary).join('\n')).toBe(text);
});

it('is content with blocks', () => {
  expect(slack.take('{"blocks":[{"type":"divider"}]}', night).reply.status).toBe(200);
});

it.each([
  ['oops', 'invalid_payload'],
  ['{"text":3}', 'invalid_payload'],
  ['{}', 'no_text'],
  ['{"text":"","blocks":[]}', 'no_text'],
])('refuses %s with a word', (body, word) => {
  expect(slack.take(body, night)).toMatchObject({ kept: [], reply: { status: 400, body: word } });
});
