import { request } from 'node:http';
import { createGunzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type FaultName, faultNames } from '../../../src/simulator/faults/fault.ts';
import { send } from '../../support/http.ts';
import { type Cluster, withCluster } from '../test-world.ts';

const list = '/restpp/showprocesslistall';
const page = '/informant/metrics';

/** Outcome of a reply for the client: its end, and the number of bytes until then. */
interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: number;
  readonly text: string;
  readonly end: 'complete' | 'reset' | 'refused' | 'left';
}

/** Asks, and leaves after `patience` bytes or as soon as the server is known to be silent. */
function look(url: string, { leaveAt = Number.POSITIVE_INFINITY, unpack = false } = {}): Promise<Seen> {
  return new Promise((resolve) => {
    let seen: Seen = { status: 0, headers: {}, bytes: 0, text: '', end: 'complete' };
    const outgoing = request(url, { agent: false }, (response) => {
      seen = { ...seen, status: response.statusCode ?? 0, headers: response.headers };
      if (leaveAt === 0) return leave();
      const body = unpack ? response.pipe(createGunzip()) : response;
      body.on('data', (chunk: Buffer) => {
        seen = {
          ...seen,
          bytes: seen.bytes + chunk.length,
          text: seen.text + (seen.text.length < 100_000 ? chunk.toString() : ''),
        };
        if (seen.bytes >= leaveAt) leave();
      });
      body.on('end', () => resolve(seen));
      response.on('error', () => resolve({ ...seen, end: 'reset' }));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ ...seen, end: error.code === 'ECONNREFUSED' ? 'refused' : 'reset' });
    });
    outgoing.end();
    function leave(): void {
      resolve({ ...seen, end: 'left' });
      outgoing.destroy();
    }
  });
}

async function under(fault: FaultName, use: (cluster: Cluster) => Promise<void>): Promise<void> {
  await withCluster({}, async (cluster) => {
    const remove = await cluster.simulator.control.injectFault(fault, { node: 'm1' });
    await use(cluster);
    expect((await send(cluster.url('/restpp/echo', 1))).status).toBe(200);
    await remove();
    expect((await send(cluster.url('/restpp/echo'))).text).toBe('{"error":false, "message":"Hello GSQL"}');
  });
}

/** Every fault, its request, and the expected result of a client; `bytes` bounds the body. */
const cases: Readonly<Record<FaultName, { path?: string; leaveAt?: number; unpack?: true; result: Partial<Seen> }>> = {
  connection_refused: { result: { end: 'refused', status: 0 } },
  reset_mid_body: { path: page, result: { end: 'reset', status: 200 } },
  hang_before_headers: { leaveAt: -1, result: { status: 0, bytes: 0 } },
  hang_before_body: { leaveAt: 0, result: { end: 'left', status: 200, bytes: 0 } },
  hang_within_body: { path: '/restpp/echo', leaveAt: 20, result: { end: 'left', status: 200, bytes: 20 } },
  slow_drip: { leaveAt: 1, result: { end: 'left', status: 200, bytes: 1 } },
  truncated_json: { path: '/restpp/echo', result: { end: 'complete', status: 200, text: '{"error":false, "me' } },
  invalid_json: { result: { status: 200, text: expect.stringMatching(/^{"error":false,,/) } },
  html_200: { result: { status: 200, text: expect.stringContaining('Please log in') } },
  html_502: { result: { status: 502, text: expect.stringContaining('502 Bad Gateway') } },
  status_401: { result: { status: 401 } },
  status_403: { result: { status: 403 } },
  status_404: { result: { status: 404, text: expect.stringContaining(`url = ${list}`) } },
  status_408: { result: { status: 408 } },
  status_422: { result: { status: 422 } },
  status_429: { result: { status: 429, headers: expect.objectContaining({ 'retry-after': '7' }) } },
  status_500: { result: { status: 500 } },
  status_503: { result: { status: 503, text: expect.stringContaining('<html>') } },
  status_504: { result: { status: 504, text: expect.stringContaining('<html>') } },
  error_true_200: { result: { status: 200, text: expect.stringContaining('"error":true') } },
  empty_body: { result: { status: 200, bytes: 0, end: 'complete' } },
  wrong_content_type: { result: { status: 200, headers: expect.objectContaining({ 'content-type': 'image/png' }) } },
  invalid_utf8: { result: { status: 200, text: expect.stringContaining('\ufffd') } },
  body_100mb: { leaveAt: 3_000_000, result: { end: 'left', status: 200 } },
  gzip_bomb: { leaveAt: 3_000_000, unpack: true, result: { end: 'left', status: 200 } },
  redirect_loop: { result: { status: 302, headers: expect.objectContaining({ location: list }) } },
  redirect_elsewhere: { result: { status: 302 } },
  duplicate_families: { path: page, result: { status: 200, text: expect.stringContaining(' 4711\n') } },
  conflicting_families: { path: page, result: { status: 200, text: expect.stringMatching(/^# TYPE \S+ counter$/m) } },
  nan_values: { path: page, result: { status: 200, text: expect.stringContaining('} NaN\n') } },
  memory_unlimited: { path: page, result: { status: 200, text: expect.stringMatching(/memory_total\{.*\} -1\n/) } },
  cpu_over_100: { path: page, result: { status: 200, text: expect.stringMatching(/cpu_available\{.*\} -\d/) } },
  hostile_labels: {
    path: page,
    result: { status: 200, text: expect.stringContaining('path_name="quote \\" brace } new\\nline"') },
  },
  entries_100k: { result: { status: 200, end: 'complete' } },
  clock_skew: { result: { status: 200, headers: expect.objectContaining({ date: 'Tue, 22 Sep 2026 05:53:20 GMT' }) } },
};

describe('over real HTTP', () => {
  it.each(faultNames.filter((name) => name !== 'hang_before_headers'))('a client receives %s', async (fault) => {
    const { path = list, result, ...timeout } = cases[fault];
    await under(fault, async ({ url }) => expect(await look(url(path), timeout)).toMatchObject(result));
  });

  it('hang_before_headers sends no bytes until the client disconnects', async () => {
    await under('hang_before_headers', async ({ url, simulator, clock }) => {
      const controller = new AbortController();
      const answer = send(url(list), { signal: controller.signal });
      const rejected = expect(answer).rejects.toThrow('aborted');
      while (simulator.calls().length === 0) await clock.yieldToEventLoop();
      await clock.advance(600_000);
      expect(simulator.calls()[0]).toMatchObject({ path: list, status: undefined });
      controller.abort();
      await rejected;
    });
  });

  it('entries_100k sends more than 100,000 entries', async () => {
    await under('entries_100k', async ({ url }) => {
      const { results } = JSON.parse((await send(url(list))).text) as { results: unknown[] };
      expect(results.length).toBeGreaterThan(100_000);
    });
  });

  it('redirect_elsewhere leads to another node, which logs requests that follow it', async () => {
    await under('redirect_elsewhere', async ({ url, simulator }) => {
      const { headers } = await send(url(list));
      expect(headers.location).toBe(`${simulator.nodes[1]?.url}/api/ping`);
    });
  });
});

describe('bad_server', () => {
  it('applies every fault, and starts again', async () => {
    await withCluster({ scenario: 'bad_server' }, async ({ url, clock, simulator }) => {
      const walk: FaultName[] = [...faultNames, 'connection_refused', 'reset_mid_body'];
      for (const fault of walk) {
        const { path = list, result, ...timeout } = cases[fault];
        if (fault !== 'hang_before_headers')
          expect(await look(url(path), timeout)).toMatchObject({ end: result.end ?? 'complete' });
        await clock.advance(10_000);
      }
      expect(simulator.calls().length).toBe(walk.length - 3);
    });
  });
});
