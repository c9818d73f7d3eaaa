import type { OpenHttpPool } from '../../src/kernel/http.ts';
import type { Clock, Millis } from '../../src/kernel/time.ts';
import type { SimulatorOptions } from '../../src/simulator/options.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { memoryNetwork } from './memory-network.ts';

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
  const network = memoryNetwork();
  const requests: NodeRequest[] = [];
  const simulator = await startSimulator(options, { listen: network.listen, clock });
  const openPool: OpenHttpPool = (to) => {
    const port = Number(new URL(to.origin).port);
    const node = simulator.nodes.find((one) => one.port === port)?.name ?? '';
    const pool = network.openPool(to);
    return {
      ...pool,
      async request(request, signal) {
        const received = { node, path: new URL(request.path, to.origin).pathname, at: clock.now().mono };
        requests.push(received);
        const time = takes(received);
        if (time > 0) await clock.sleep(time, signal);
        return pool.request(request, signal);
      },
    };
  };
  return { simulator, openPool, requests };
}
