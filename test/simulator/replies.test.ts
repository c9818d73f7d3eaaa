import { describe, expect, it } from 'vitest';
import {
  gsqlError,
  json,
  jsonText,
  proxyError,
  restppError,
  restppResults,
  text,
  unknownEndpoint,
} from '../../src/simulator/replies.ts';

describe('the envelopes', () => {
  it('wraps results of the data plane', () => {
    const { status, headers, body } = restppResults([1], 'fine');
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(body).toBe(
      '{"version":{"edition":"enterprise","api":"v2","schema":0},"error":false,"message":"fine","results":[1],"code":"REST-0000"}',
    );
  });

  it('can have further fields next to the results, and omit the code', () => {
    const more = { request_id: 'x', code: undefined };
    expect(JSON.parse(restppResults([], '', more).body)).toEqual({
      version: { edition: 'enterprise', api: 'v2', schema: 0 },
      error: false,
      message: '',
      results: [],
      request_id: 'x',
    });
  });

  it('reports errors in the format of each server', () => {
    expect(JSON.parse(restppError(403, 'REST-10016', 'no').body)).toMatchObject({
      error: true,
      message: 'no',
      code: 'REST-10016',
    });
    expect(gsqlError(401, 'no')).toMatchObject({ status: 401, body: '{"error":true,"message":"no"}' });
    expect(unknownEndpoint('/eco')).toMatchObject({ status: 404 });
    expect(JSON.parse(unknownEndpoint('/eco').body)).toMatchObject({
      message: 'Endpoint is not found from url = /eco, please use GET /endpoints to list all valid endpoints.',
      code: 'REST-1000',
    });
  });

  it('has replies of the proxy in HTML, and plain texts unchanged', () => {
    expect(proxyError(502, 'Bad Gateway').body).toContain('<h1>502 Bad Gateway</h1>');
    expect(proxyError(502, 'Bad Gateway').headers).toEqual({ 'content-type': 'text/html' });
    expect(text('a').headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(jsonText('{ }').body).toBe('{ }');
    expect(json({ a: 1 }, 400)).toMatchObject({ status: 400, body: '{"a":1}' });
  });
});
