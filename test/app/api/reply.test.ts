import { describe, expect, it } from 'vitest';
import { jsonReply, problemReply, textReply } from '../../../src/app/api/reply.ts';
import { readReply } from '../fakes.ts';

describe('reply', () => {
  it('in JSON is one line', () => {
    expect(jsonReply({ a: 1 })).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"a":1}\n',
    });
  });

  it('in text has the media type of text', () => {
    expect(textReply('healthy')).toEqual({
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: 'healthy\n',
    });
  });

  it.each([
    [400, 'Bad request'],
    [403, 'Forbidden'],
    [404, 'Not found'],
    [405, 'Method not allowed'],
    [422, 'Configuration rejected'],
    [503, 'Not available'],
    [418, 'Error'],
  ])('for the status %i has a title, a detail and the media type of problems', (status, title) => {
    const problem = { file: 'graphwarden.yml', line: 1, column: 2, path: 'listen', message: 'expected an address' };
    const reply = problemReply(status, 'It failed.', { problems: [problem] });
    expect(reply.status).toBe(status);
    expect(reply.headers).toEqual({ 'content-type': 'application/problem+json; charset=utf-8' });
    const body = JSON.parse(readReply(reply).body);
    expect(body).toEqual({ type: 'about:blank', title, status, detail: 'It failed.', problems: [problem] });
  });
});
