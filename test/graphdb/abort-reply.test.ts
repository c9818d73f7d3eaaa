import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAbortReply } from '../../src/graphdb/abort-reply.ts';
import { neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { answer } from '../support/fake-pool.ts';

const id = '65538.RESTPP_1_1.1790000000000.N';
const other = '65539.RESTPP_1_1.1790000000001.N';
const named = (...ids: readonly string[]) => ids.map((requestid) => ({ requestid, url: '/query/fraud/canary?x=1' }));
const good = (...ids: readonly string[]) => ({
  version: { api: 'v2' },
  error: false,
  message: '',
  results: [{ aborted_queries: named(...ids) }],
  code: 'REST-0000',
});
const raised = { version: { api: 'v2' }, error: true, message: 'canary', code: 'REST-1004' };

/** Returns the result for a status and a body. */
async function read(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) {
  const reply = answer(body, status, headers);
  if (!reply.ok) throw new Error('an answer is an answer');
  return await parseAbortReply(reply.value, new FakeClock(), neverAborted());
}

describe('an answer to an abort', () => {
  it.each([
    ['the requested one', good(id), [id]],
    ['none', good(), []],
    ['others', good(id, other, 'all'), [id, other, 'all']],
    ['some in several results', { ...good(id), results: [...good(id).results, ...good(other).results] }, [id, other]],
    ['some next to unknown members', { ...good(id), more: [{}] }, [id]],
  ])('is accepted if it names %s', async (_what, body, aborted) => {
    expect(await read(body)).toEqual({ kind: 'accepted', aborted });
  });

  it.each([400, 401, 403, 404, 408, 409, 422, 429, 499])('is refused with status %i, with any body', async (status) => {
    for (const body of [raised, good(id), '<html>canary</html>', '']) {
      const reply = await read(body, status);
      expect(reply).toMatchObject({ kind: 'refused', reason: expect.stringContaining(`status ${status}`) });
    }
  });

  it.each([
    ['status 401', raised, 401],
    ['status 403', raised, 403],
    ['the code REST-10016', { ...raised, code: 'REST-10016' }, 200],
  ])('reports a refused credential for %s', async (_, body, status) => {
    expect(await read(body, status)).toMatchObject({ kind: 'refused', isUnauthorized: true });
    expect(await read(raised, 404)).toMatchObject({ kind: 'refused', isUnauthorized: false });
  });

  it('is refused if its error flag is set', async () => {
    const reason = 'the server reports an error (REST-1004)';
    expect(await read(raised)).toEqual({ kind: 'refused', reason, isUnauthorized: false });
    expect(await read({ ...raised, results: [] })).toMatchObject({ kind: 'refused', reason });
  });

  it.each([100, 204, 301, 302, 307, 308, 500, 502, 503, 504, 599])('is lost with status %i', async (status) => {
    for (const body of [raised, good(id), '']) {
      if (status !== 204 || body === '') expect(await read(body, status)).toMatchObject({ kind: 'lost' });
    }
  });

  it.each<readonly [string, unknown]>([
    ['nothing', ''],
    ['HTML', '<html>canary</html>'],
    ['no JSON', '{"error":false,"results":['],
    ['more than JSON', `${JSON.stringify(good(id))}]`],
    ['a list', [good(id)]],
    ['no results', { error: false, message: '' }],
    ['empty results', { ...good(), results: [] }],
    ['results of another call', { ...good(), results: [{ requestid: id }] }],
    ['results that are no list', { ...good(), results: { aborted_queries: [] } }],
    ['a mere text for an entry', { ...good(), results: [{ aborted_queries: [id] }] }],
    ['an entry without its id', { ...good(), results: [{ aborted_queries: [{ url: '/query/fraud/x' }] }] }],
    ['an id that is a number', { ...good(), results: [{ aborted_queries: [{ requestid: 7 }] }] }],
    ['one good result among bad ones', { ...good(), results: [...good(id).results, {}] }],
    ['an odd flag', { ...good(id), error: 'perhaps' }],
    ['a flag that is null', { ...good(id), error: null }],
    ['an error that names what it has aborted', { ...good(id), error: true, message: 'canary' }],
    ['an error without a message', { error: true }],
    ['an error in the form of another server', { ...good(id), Error: { Code: 3 } }],
    ['an error as text', { ...raised, error: 'true' }],
  ])('is lost if it contains %s', async (_what, body) => {
    const reply = await read(body);
    expect(reply.kind).toBe('lost');
    expect(JSON.stringify(reply)).not.toContain('canary');
  });

  it.each<readonly [string, unknown, readonly string[]]>([
    ['an error', { ...good(id, other), error: true, message: 'canary' }, [id, other]],
    ['an odd flag', { ...good(other), error: 'perhaps' }, [other]],
    ['a result that is no list', { ...good(), results: good(other).results[0] }, [other]],
    ['good entries among bad ones', { ...good(), results: [{}, { aborted_queries: [7, ...named(other)] }] }, [other]],
  ])('that is lost contains the ids that it names next to %s', async (_what, body, aborted) => {
    expect(await read(body)).toMatchObject({ kind: 'lost', aborted });
  });

  it.each([
    [
      'results',
      `{"error":false,"results":[{"aborted_queries":[{"requestid":"${other}"}]}],"results":${JSON.stringify(good(id).results)}}`,
    ],
    [
      'lists',
      `{"error":false,"results":[{"aborted_queries":[{"requestid":"${other}"}],"aborted_queries" :[{"requestid":"${id}"}]}]}`,
    ],
  ])('is lost with repeated %s, and names the ids of all', async (_what, body) => {
    const reason = 'the response has the same member twice';
    expect(await read(body)).toEqual({ kind: 'lost', reason, aborted: [other, id] });
  });

  it('is accepted if a URL contains the names of members', async () => {
    const url = '/query/fraud/x?a="results":&b="aborted_queries":["requestid":"1"]';
    const results = [{ aborted_queries: [{ requestid: id, url }] }];
    expect(await read({ ...good(id), results })).toEqual({ kind: 'accepted', aborted: [id] });
  });

  it('is lost with the wrong content type', async () => {
    expect(await read(good(id), 200, { 'content-type': 'image/png' })).toMatchObject({ kind: 'lost' });
  });

  it('is neither accepted nor refused with status 200 and another body, and never throws', async () => {
    const flags = fc.constantFrom(false, true, 'false', 'true', null, 0, 1, undefined);
    const shape = fc.record({ error: flags, message: fc.anything(), results: fc.anything() }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(fc.oneof(shape, fc.anything()), async (body) => {
        const text = JSON.stringify(body) ?? 'undefined';
        const { kind } = await read(text);
        if (kind === 'accepted') expect(text).toContain('"aborted_queries":');
        if (kind === 'refused') expect(text).toContain('"error":true');
        expect(['accepted', 'refused', 'lost']).toContain(kind);
      }),
      { numRuns: 2000 },
    );
  });
});
