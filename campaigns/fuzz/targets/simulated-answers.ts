import { collectors } from '../../../src/collect/all.ts';
import type { Collector } from '../../../src/collect/collector.ts';
import { openCluster } from '../../../src/graphdb/connect.ts';
import type { HttpRequest, OpenHttpPool } from '../../../src/kernel/http.ts';
import type { RequestHandler } from '../../../src/kernel/listener.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { Secret } from '../../../src/kernel/secret.ts';
import type { AuthSettings } from '../../../src/model/settings.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { systemFiles } from '../../../src/runtime/files.ts';
import { startSimulator } from '../../../src/simulator/simulator.ts';
import { digest } from '../../../test/support/digest.ts';
import { toHttpReply } from '../../../test/support/memory-network.ts';

/** Answers of the simulated server. */
export interface SimulatedAnswers {
  /** Returns the body of the answer to a request; undefined if no collector sends it. */
  find(request: Pick<HttpRequest, 'method' | 'path'>): Uint8Array | undefined;
  /** Bodies of the answers to the requests of a collector. */
  of(collector: string): readonly Uint8Array[];
}

type Answer = (request: HttpRequest, signal: AbortSignal) => Promise<Uint8Array | undefined>;

/** The GSQL server requires a user for most calls. */
export const fuzzUser: AuthSettings = { kind: 'basic', username: 'monitor', password: { value: new Secret('secret') } };
const statements = { export: '1.2' } as const;

/** Polls the simulated server once with each collector, and returns its answers. */
export async function recordSimulatedAnswers(): Promise<SimulatedAnswers> {
  const handlers: RequestHandler[] = [];
  const listen = async ({ handler }: { readonly handler: RequestHandler }) => {
    handlers.push(handler);
    return { host: '127.0.0.1', port: handlers.length, close: async () => undefined };
  };
  const simulator = await startSimulator({ nodes: 1, version: '4.2.1' }, { listen, clock: systemClock });
  const bodies = new Map<string, Uint8Array>();
  const byCollector = new Map<string, readonly Uint8Array[]>();
  try {
    for (const collector of collectors) {
      const own: Uint8Array[] = [];
      await pollOnce(collector, async ({ method, path, headers, body = '' }, disconnected) => {
        const { pathname, searchParams: query } = new URL(path, 'http://m1');
        const request = {
          method,
          path: pathname,
          query,
          headers,
          remoteAddress: '',
          disconnected,
          text: async () => body,
        };
        const reply = await handlers[0]?.(request);
        if (reply === undefined || reply.status !== 200) return undefined;
        const answer = (await toHttpReply(reply)).body;
        bodies.set(keyOf({ method, path }), answer);
        own.push(answer);
        return answer;
      });
      byCollector.set(collector.name, own);
    }
  } finally {
    await simulator.close();
  }
  return {
    find: (request) => bodies.get(keyOf(request)),
    of: (collector) => byCollector.get(collector) ?? [],
  };
}

async function pollOnce(collector: Collector, answer: Answer): Promise<void> {
  const { signal } = new AbortController();
  const openPool: OpenHttpPool = () => ({
    request: async (request) => {
      const body = await answer(request, signal);
      const headers = { 'content-type': 'application/json' };
      return body === undefined ? err({ reason: 'status', message: '404' }) : ok({ status: 200, headers, body });
    },
    sockets: () => 0,
    close: async () => undefined,
  });
  const ports = { openPool, clock: systemClock, random: { next: () => 0.5 }, files: systemFiles, digest };
  const access = { readAuth: fuzzUser, abortAuth: fuzzUser, informantAuth: fuzzUser };
  const settings = { name: 'test', labels: {}, nodes: [], ...access, graphs: ['fraud'], statements };
  const whole = { ...settings, serverVersion: 'auto', metricPrefix: 'auto' };
  const { db } = openCluster(whole, { bodyLimit: 10_000_000 }, ports).node({ name: 'm1', url: 'http://m1:14240' });
  await collector.poll(db, signal);
}

function keyOf({ method, path }: Pick<HttpRequest, 'method' | 'path'>): string {
  return `${method} ${path}`;
}
