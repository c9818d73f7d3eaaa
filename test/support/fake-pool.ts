import { afterEach, expect } from 'vitest';
import { failure } from '../../src/kernel/failure.ts';
import type { HttpFailure, HttpPool, HttpReply, HttpRequest } from '../../src/kernel/http.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';

type Reply = Result<HttpReply, HttpFailure>;

/** Exchange that a test expects: `METHOD /path?query`, and its reply. */
export type Exchange = readonly [
  request: string,
  reply: Reply | ((request: HttpRequest, signal: AbortSignal) => Reply | Promise<Reply>),
];

const pools: FakePool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.verify();
});

/** Pool that replies by a script, in order. The test fails for a request that is not the next one, and for an unused exchange. */
export class FakePool implements HttpPool {
  readonly requests: HttpRequest[] = [];
  closed = false;
  readonly #script: Exchange[];
  readonly #unexpected: string[] = [];

  constructor(...script: readonly Exchange[]) {
    this.#script = [...script];
    pools.push(this);
  }

  /** Appends exchanges to the script. */
  alsoExpect(...script: readonly Exchange[]): void {
    this.#script.push(...script);
  }

  async request(request: HttpRequest, signal: AbortSignal): Promise<Reply> {
    this.requests.push(request);
    const requested = `${request.method} ${request.path}`;
    const [expected, reply] = this.#script.shift() ?? [];
    if (reply === undefined || expected !== requested) {
      this.#unexpected.push(`${requested} instead of ${expected ?? 'nothing'}`);
      throw new Error(`unexpected request: ${requested}`);
    }
    if (request.bound?.mayWrite() === false) return err({ ...failure('timeout', 'not permitted'), unsent: true });
    return typeof reply === 'function' ? await reply(request, signal) : reply;
  }

  sockets(): number {
    return this.requests.length === 0 || this.closed ? 0 : 1;
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  /** Throws if an exchange is unused; called after each test. */
  verify(): void {
    expect(this.#unexpected).toEqual([]);
    expect(this.#script.map(([request]) => request)).toEqual([]);
  }
}

/** Returns a reply with a body: a text unchanged, any other value as JSON. */
export function answer(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ok({ status, headers, body: new TextEncoder().encode(text) });
}
