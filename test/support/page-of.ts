import type { OutgoingReply, RequestHandler } from '../../src/kernel/listener.ts';

/** Returns an API that replies to each path with a page of its items, or with its object; to other paths with an empty page. */
export function pagesOf(
  answers: Readonly<Record<string, readonly unknown[] | object>>,
  requested: string[] = [],
): RequestHandler {
  return async ({ path, query }): Promise<OutgoingReply> => {
    requested.push(`${path}?${query.toString()}`);
    const answer = answers[path] ?? [];
    const items = Array.isArray(answer) ? answer : [];
    const page = { items, total: items.length, limit: 1000, offset: 0 };
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Array.isArray(answer) ? page : answer),
    };
  };
}
