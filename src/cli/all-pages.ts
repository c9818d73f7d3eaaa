import { err, ok, type Result } from '../kernel/result.ts';
import type { DaemonApi } from './daemon-api.ts';
import type { Page } from './members.ts';

const pageSize = 1000;

/** All items of a list of the daemon, page by page. What changes between two pages may come twice or be left out. */
export async function allPages<Item>(
  api: DaemonApi,
  path: string,
  query: URLSearchParams,
  read: (answer: unknown) => Page<Item> | undefined,
): Promise<Result<readonly Item[], string>> {
  const found: Item[] = [];
  for (let total = 1; found.length < total; ) {
    const paging = new URLSearchParams([...query, ['limit', String(pageSize)], ['offset', String(found.length)]]);
    const answer = await api.call({ method: 'GET', path: `${path}?${paging.toString()}` });
    if (!answer.ok) return answer;
    const page = read(answer.value);
    if (page === undefined) return err(`the answer is no page of ${path.split('/').at(-1) ?? ''}`);
    found.push(...page.items);
    // A page with nothing on it is the last, whatever it says of their number.
    total = page.items.length === 0 ? 0 : page.total;
  }
  return ok(found);
}
