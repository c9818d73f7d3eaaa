import { failure } from '../../src/kernel/failure.ts';
import type { HttpReply, OpenHttpPool } from '../../src/kernel/http.ts';
import type { OutgoingReply, RequestHandler } from '../../src/kernel/listener.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { Clock, Millis } from '../../src/kernel/time.ts';
import type { SimulatorOptions } from '../../src/simulator/options.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';

/** Request that a node received, at a time on the monotonic clock. */
interface NodeRequest {
  readonly node: string;
  readonly path: string;
  readonly at: Millis;
}

/** Simulated cluster without sockets, for tests with their own clock. */
export interface InMemoryCluster {
  readonly simulator: Simulator;
  readonly openPool: OpenHttpPool;
  readonly requests: readonly NodeRequest[];
}

/** Starts a simulated cluster whose nodes take the time that `takes` returns for a request. */
export async function startInMemoryCluster(
  clock: Clock,
  takes: (request: NodeRequest) => Millis,
  options: SimulatorOptions = {},
): Promise<InMemoryCluster> {
  const handlers = new Map<number, RequestHandler>();
  const requests: NodeRequest[] = [];
  const listen = async ({ host = '127.0.0.1', handler }: { host?: string; handler: RequestHandler }) => {
    const port = 20_000 + handlers.size;
    handlers.set(port, handler);
    return { host, port, close: async () => undefined };
  };
  const simulator = await startSimulator(options, { listen, clock });
  const openPool: OpenHttpPool = ({ origin }) => {
    const port = Number(new URL(origin).port);
    const node = simulator.nodes.find((one) => one.port === port)?.name ?? '';
    return {
      async request({ method, path, headers, body = '' }, signal) {
        const { pathname, searchParams } = new URL(path, origin);
        const received = { node, path: pathname, at: clock.now().mono };
        requests.push(received);
        const time = takes(received);
        if (time > 0) await clock.sleep(time, signal);
        if (signal.aborted) return err(failure('timeout', 'the request was aborted'));
        const text = async () => body;
        const request = {
          method,
          path: pathname,
          query: searchParams,
          headers,
          remoteAddress: '',
          disconnected: signal,
          text,
        };
        const reply = await handlers.get(port)?.(request);
        return ok(await toHttpReply(reply ?? { status: 503 }));
      },
      sockets: () => 1,
      close: async () => undefined,
    };
  };
  return { simulator, openPool, requests };
}

/** Reads a reply to its end. */
export async function toHttpReply({ status, headers = {}, body = '' }: OutgoingReply): Promise<HttpReply> {
  const pieces: Uint8Array[] = [];
  if (typeof body === 'string') pieces.push(Buffer.from(body));
  else if (body instanceof Uint8Array) pieces.push(body);
  else for await (const piece of body) pieces.push(piece);
  const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { status, headers: Object.fromEntries(names), body: Buffer.concat(pieces) };
}
