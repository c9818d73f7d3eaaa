import { describe, expect, it } from 'vitest';
import { json, plain, problem } from '../../src/app/reply.ts';
import { answerOf } from './fakes.ts';

describe('a reply', () => {
  it('in JSON is one line', () => {
    expect(json({ a: 1 })).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"a":1}\n',
    });
  });

  it('in words says that it is text', () => {
    expect(plain('healthy')).toEqual({
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
    [422, 'Configuration refused'],
    [503, 'Not available'],
    [418, 'Error'],
  ])('about the problem %i has a title, a detail and its own type', (status, title) => {
    const reply = problem(status, 'What happened.', { more: [1] });
    expect(reply.status).toBe(status);
    expect(reply.headers).toEqual({ 'content-type': 'application/problem+json; charset=utf-8' });
    const body = JSON.parse(answerOf(reply).body);
    expect(body).toEqual({ type: 'about:blank', title, status, detail: 'What happened.', more: [1] });
  });
});
