import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { DaemonApi, DaemonRequest } from '../../src/cli/daemon-api.ts';
import { fetchAllPages, parseResponse } from '../../src/cli/daemon-api.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';

function apiOf(...answers: readonly Result<unknown, string>[]) {
  const requests: DaemonRequest[] = [];
  const api: DaemonApi = {
    call: async (request) => {
      requests.push(request);
      return answers[requests.length - 1] ?? err('unexpected request');
    },
    close: async () => undefined,
  };
  const fetch = () => fetchAllPages(api, '/api/v1/things', new URLSearchParams({ kind: 'a b' }), z.number());
  return { requests, fetch };
}

function page(items: readonly unknown[], total: number) {
  return ok({ items, total, limit: 2, offset: 0 });
}

describe('pages of a list', () => {
  it('are requested until the list is complete', async () => {
    const { requests, fetch } = apiOf(page([1, 2], 3), page([3], 3));
    expect(await fetch()).toEqual(ok([1, 2, 3]));
    expect(requests).toEqual([
      { method: 'GET', path: '/api/v1/things?kind=a+b&limit=1000&offset=0' },
      { method: 'GET', path: '/api/v1/things?kind=a+b&limit=1000&offset=2' },
    ]);
  });

  it('are requested once if the list is empty', async () => {
    const { requests, fetch } = apiOf(page([], 0));
    expect(await fetch()).toEqual(ok([]));
    expect(requests).toHaveLength(1);
  });

  it('count stored rows that are unreadable', async () => {
    const { requests, fetch } = apiOf(page([1], 3), page([3], 3));
    expect(await fetch()).toEqual(ok([1, 3]));
    expect(requests.map(({ path }) => path.split('offset=')[1])).toEqual(['0', '2']);
  });

  it('end with an empty page, and advance past a limit of 0', async () => {
    expect(await apiOf(page([1], 9), page([], 9)).fetch()).toEqual(ok([1]));
    expect(await apiOf(ok({ items: [1], total: 1, limit: 0, offset: 0 })).fetch()).toEqual(ok([1]));
  });

  it('fail if one of them fails', async () => {
    expect(await apiOf(page([1, 2], 3), err('gone')).fetch()).toEqual(err('gone'));
    expect(await apiOf(ok({ items: 7 })).fetch()).toMatchObject({
      error: expect.stringContaining('daemon at items: '),
    });
  });
});

describe('answer', () => {
  const thing = z.object({ list: z.array(z.object({ name: z.string().max(3) })) });

  it('is returned without unknown fields', () => {
    expect(parseResponse({ list: [{ name: 'a', more: 1 }] }, thing)).toEqual(ok({ list: [{ name: 'a' }] }));
  });

  it.each([
    [{ list: [{ name: 'a' }, { name: 7 }] }, 'at list[1].name: Invalid input: expected string, received number'],
    [{ list: [{ name: 'long' }] }, 'at list[0].name: Too big'],
    [{}, 'at list: Invalid input'],
    [null, 'unexpected response of the daemon: Invalid input: expected object, received null'],
  ])('%j is an error that names the field', (answer, message) => {
    const parsed = parseResponse(answer, thing);
    expect(parsed).toMatchObject({ ok: false, error: expect.stringContaining(message) });
    expect(parsed).toMatchObject({ error: expect.stringContaining('have the same version') });
  });
});
