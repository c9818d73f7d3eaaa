import type { Failure } from '../../kernel/failure.ts';
import type { HttpPool, HttpReply, OpenHttpPool } from '../../kernel/http.ts';
import type { Result } from '../../kernel/result.ts';

/** More than any receiver has to say; somebody's own service may answer with a page. */
const largestAnswer = 1024 * 1024;

/** A way to post JSON to one address, which may move. */
export interface HttpWay {
  post(url: string, body: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Reply>;
  close(): Promise<void>;
}

type Reply = Result<HttpReply, Failure>;

/** Keeps the connections to the origin that was posted to last: an address in a file may change. */
export function openHttpWay(openPool: OpenHttpPool): HttpWay {
  let held: { readonly origin: string; readonly pool: HttpPool } | undefined;

  async function poolOf(origin: string): Promise<HttpPool> {
    if (held?.origin === origin) return held.pool;
    const former = held;
    const pool = openPool({ origin, sockets: 2 });
    held = { origin, pool };
    await former?.pool.close();
    return pool;
  }

  return {
    async post(url, body, headers, signal) {
      const { origin, pathname, search } = new URL(url);
      const pool = await poolOf(origin);
      const sent = { 'content-type': 'application/json', 'user-agent': 'graphwarden', ...headers };
      const request = {
        method: 'POST',
        path: pathname + search,
        headers: sent,
        body,
        maxBytes: largestAnswer,
      } as const;
      return await pool.request(request, signal);
    },
    async close() {
      await held?.pool.close();
      held = undefined;
    },
  };
}
