import { expect, it } from 'vitest';
import { allPages } from '../../src/cli/all-pages.ts';
import type { DaemonApi, DaemonCall } from '../../src/cli/daemon-api.ts';
import { readPage } from '../../src/cli/members.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';

function apiOf(...answers: readonly Result<unknown, string>[]) {
  const asked: DaemonCall[] = [];
  const api: DaemonApi = {
    call: async (call) => {
      asked.push(call);
      return answers[asked.length - 1] ?? err('was not expected to be asked again');
    },
    close: async () => undefined,
  };
  const read = () =>
    allPages(api, '/api/v1/things', new URLSearchParams({ kind: 'a b' }), (answer) =>
      readPage(answer, (item) => (typeof item === 'number' ? item : undefined)),
    );
  return { asked, read };
}

it('asks until it has all', async () => {
  const { asked, read } = apiOf(ok({ items: [1, 2], total: 3 }), ok({ items: [3], total: 3 }));
  expect(await read()).toEqual(ok([1, 2, 3]));
  expect(asked).toEqual([
    { method: 'GET', path: '/api/v1/things?kind=a+b&limit=1000&offset=0' },
    { method: 'GET', path: '/api/v1/things?kind=a+b&limit=1000&offset=2' },
  ]);
});

it('asks once where there is nothing', async () => {
  const { asked, read } = apiOf(ok({ items: [], total: 0 }));
  expect(await read()).toEqual(ok([]));
  expect(asked).toHaveLength(1);
});

it('ends with a page that has nothing on it', async () => {
  expect(await apiOf(ok({ items: [1], total: 9 }), ok({ items: [], total: 9 })).read()).toEqual(ok([1]));
});

it('fails where a page does', async () => {
  expect(await apiOf(ok({ items: [1], total: 2 }), err('gone')).read()).toEqual(err('gone'));
  expect(await apiOf(ok({ items: 7 })).read()).toEqual(err('the answer is no page of things'));
});
