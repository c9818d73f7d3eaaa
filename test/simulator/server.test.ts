import { describe, expect, it } from 'vitest';
import type { SimulatorOptions } from '../../src/simulator/options.ts';
import { simulationHeaders } from '../../src/simulator/server.ts';
import { type Reply, send } from '../support/http.ts';
import { withCluster } from './test-world.ts';

async function answers(options: SimulatorOptions, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  const replies: Reply[] = [];
  await withCluster(options, async ({ url }) => void replies.push(await send(url(path), { headers })));
  return replies[0] ?? expect.fail('an answer');
}

describe('every reply', () => {
  it.each(['/api/ping', '/informant/metrics', '/nowhere', '/gsql/v1/version'])(
    'to %s states that it is simulated',
    async (path) => {
      expect((await answers({}, path)).headers).toMatchObject(simulationHeaders);
    },
  );

  it('is dated by the clock of the host', async () => {
    const [true_ = '', ahead = ''] = [
      (await answers({}, '/api/ping')).headers.date,
      (await answers({ clockSkew: 60_000 }, '/api/ping')).headers.date,
    ];
    expect(Date.parse(ahead) - Date.parse(true_)).toBe(60_000);
  });
});

describe('the path forms', () => {
  it.each([
    ['3.9.3', '/echo', 200],
    ['3.9.3', '/showprocesslistall', 200],
    ['3.9.3', '/statistics/fraud?seconds=60', 200],
    ['3.9.3', '/informant/metrics', 200],
    ['3.9.3', '/restpp/echo', 404],
    ['3.9.3', '/gsql/v1/schema/graphs', 404],
    ['3.9.3', '/gsqlserver/gsql/schema/graphs', 401],
    ['4.1.2', '/restpp/echo', 200],
    ['4.1.2', '/echo', 404],
    ['4.1.2', '/gsql/v1/schema/graphs', 401],
  ])('%s answers %s with %d', async (version, path, status) => {
    expect(await answers({ version }, path)).toMatchObject({ status });
  });

  it('report an unknown path in the form of the data plane', async () => {
    const { status, text } = await answers({}, '/restpp/eco');
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({
      error: true,
      code: 'REST-1000',
      message: expect.stringContaining('url = /eco,'),
    });
  });
});

describe('the credentials', () => {
  const auth = { kind: 'bearer', token: 'a-token-that-is-long-enough' } as const;

  it.each([
    ['/restpp/echo', {}, 403],
    ['/restpp/echo', { authorization: 'Bearer a-token-that-is-long-enough' }, 200],
    ['/restpp/echo', { authorization: `Basic ${btoa('a:b')}` }, 403],
    ['/gsql/v1/version', { authorization: 'Bearer a-token-that-is-long-enough' }, 200],
    ['/gsql/v1/version', {}, 401],
    ['/api/ping', {}, 200],
    ['/informant/metrics', {}, 200],
  ])('give for %s with %o the status %d', async (path, headers, status) => {
    expect(await answers({ auth }, path, { ...headers })).toMatchObject({ status });
  });

  it('can be requested with a secret, and give access to all endpoints', async () => {
    await withCluster({ auth: { kind: 'secret', secret: 'hush' } }, async ({ url }) => {
      expect((await send(url('/restpp/echo'))).status).toBe(403);
      const issued = await send(url('/gsql/v1/tokens'), { method: 'POST', body: '{"secret":"hush","lifetime":"60"}' });
      const { token } = JSON.parse(issued.text) as { token: string };
      const headers = { authorization: `Bearer ${token}` };
      // All nodes of a cluster know the token.
      for (const index of [0, 1, 2]) expect((await send(url('/restpp/echo', index), { headers })).status).toBe(200);
      expect((await send(url('/gsql/v1/schema/graphs'), { headers })).status).toBe(200);
    });
  });

  it('expire', async () => {
    await withCluster({ auth: { kind: 'secret', secret: 'hush' }, version: '3.9.3' }, async ({ url, clock }) => {
      const issued = await send(url('/requesttoken'), { method: 'POST', body: '{"secret":"hush","lifetime":60}' });
      const { token } = JSON.parse(issued.text) as { token: string };
      const headers = { authorization: `Bearer ${token}` };
      expect((await send(url('/echo'), { headers })).status).toBe(200);
      await clock.advance(60_000);
      const late = await send(url('/echo'), { headers });
      expect([late.status, JSON.parse(late.text)]).toMatchObject([403, { code: 'REST-10019' }]);
    });
  });
});

describe('a service that is down', () => {
  it.each([
    ['GUI', '/api/ping'],
    ['RESTPP', '/restpp/echo'],
    ['IFM', '/informant/metrics'],
    ['GSQL', '/gsql/v1/version'],
    ['NGINX', '/api/ping'],
  ])('%s makes the proxy of its node answer %s in HTML', async (service, path) => {
    await withCluster({}, async ({ simulator, url }) => {
      simulator.control.setService(service, '', '1', 'Down');
      const reply = await send(url(path));
      expect([reply.status, reply.headers['content-type']]).toEqual([502, 'text/html']);
      expect((await send(url(path, 1))).status).not.toBe(502);
      simulator.control.setService(service, '', '1', 'Online');
      expect((await send(url(path))).status).not.toBe(502);
    });
  });
});

describe('the log of calls', () => {
  it('has the requests in order, without credentials', async () => {
    await withCluster({}, async ({ simulator, url, clock }) => {
      const at = clock.now().wall;
      await send(url('/restpp/statistics/fraud?seconds=60', 1), { headers: { authorization: 'Bearer hush-hush' } });
      await send(url('/nowhere'), { method: 'POST', body: 'x' });
      expect(simulator.calls()).toEqual([
        { node: 'm2', method: 'GET', path: '/restpp/statistics/fraud', query: 'seconds=60', at, status: 200 },
        { node: 'm1', method: 'POST', path: '/nowhere', query: '', at, status: 404 },
      ]);
      expect(JSON.stringify(simulator.calls())).not.toContain('hush');
    });
  });
});

/** Headers that show a token. */
function show(token: string): { readonly headers: Readonly<Record<string, string>> } {
  return { headers: { authorization: `Bearer ${token}` } };
}

describe('an abort', () => {
  it('is logged with the aborted queries', async () => {
    await withCluster({}, async ({ simulator, url, clock }) => {
      const directive = { node: 'm2', graph: 'fraud', query: 'pagerank', runsFor: 60_000, parameters: 'damping=0.9' };
      const id = simulator.control.startQuery(directive)?.requestId ?? '';
      await send(url(`/restpp/abortquery/fraud?requestid=${id}`, 0));
      expect(simulator.aborts()).toEqual([]);
      await send(url(`/restpp/abortquery/fraud?requestid=${id}`, 1));
      expect(simulator.aborts()).toEqual([
        { node: 'm2', requestId: id, url: '/query/fraud/pagerank?damping=0.9', at: clock.now().wall },
      ]);
    });
  });

  it('requires the token for aborts if one is configured', async () => {
    const auth = { kind: 'bearer', token: 'for-reading-alone', abortToken: 'for-aborting-alone' } as const;
    await withCluster({ nodes: 1, auth }, async ({ simulator, url }) => {
      const directive = { node: 'm1', graph: 'fraud', query: 'pagerank', runsFor: 60_000 };
      const path = `/restpp/abortquery/fraud?requestid=${simulator.control.startQuery(directive)?.requestId}`;
      expect((await send(url(path), show(auth.token))).status).toBe(403);
      expect([(await send(url(path))).status, simulator.aborts()]).toEqual([403, []]);
      expect((await send(url(path), show(auth.abortToken))).status).toBe(200);
      expect(simulator.aborts()).toHaveLength(1);
      expect((await send(url('/restpp/echo'), show(auth.abortToken))).status).toBe(403);
      expect((await send(url('/restpp/echo'), show(auth.token))).status).toBe(200);
    });
  });

  it.each([
    ['status_403', 403, 0],
    ['status_429', 429, 0],
    ['status_500', 500, 1],
    ['error_true_200', 200, 1],
  ] as const)(
    'is not executed if the request is rejected, and executed if only the reply is damaged: %s',
    async (...of) => {
      const [fault, status, count] = of;
      await withCluster({ nodes: 1 }, async ({ simulator, url }) => {
        const directive = { node: 'm1', graph: 'fraud', query: 'pagerank', runsFor: 60_000 };
        const id = simulator.control.startQuery(directive)?.requestId;
        await simulator.control.injectFault(fault, { path: /abortquery/ });
        expect((await send(url(`/restpp/abortquery/fraud?requestid=${id}`))).status).toBe(status);
        expect(simulator.aborts()).toHaveLength(count);
      });
    },
  );
});
