import { once } from 'node:events';
import { get } from 'node:http';
import type { Simulator } from '../../src/simulator/simulator.ts';

/** Time between two polls, and between two groups of changes, in ms. */
const every = 200;
/** Changes in a group; together with {@link every}, fifty changes per second. */
const changesAtOnce = 10;

/** Services whose instances change all the time. {@link changeProbe} changes an instance of another service. */
const changingServices = ['ADMIN', 'CTRL', 'GUI', 'KAFKA', 'KAFKACONN'];
/** Instance whose changes are measured. */
const probe = { service: 'GPE', partition: '1', replica: '1', name: 'GPE_1#1' };

/** Configuration of a daemon that reports each status change at once, and polls nothing else. */
export function changingSettings(simulator: Simulator) {
  const often = { interval: `${every}ms`, timeout: `${every}ms` };
  const idle = ['metrics', 'categories', 'statistics', 'queries', 'delayed_queries', 'workload_queues', 'license'];
  return {
    tracker: { confirm: 1, flapping: { on: 1, off: 0.9, changes: 10_000 } },
    clusters: [{ name: 'bench', nodes: simulator.nodes.map(({ name, url }) => ({ name, url })), graphs: ['fraud'] }],
    collectors: {
      health: { interval: '5s', timeout: '1s' },
      services: often,
      ...Object.fromEntries(idle.map((name) => [name, { enabled: false }])),
    },
  };
}

/** Changes instances of the simulated cluster until the returned function is called. */
export function startChanges(simulator: Simulator): () => void {
  const instances = simulator.truth().services.filter(({ service }) => changingServices.includes(service));
  if (instances.length < 2 * changesAtOnce) throw new Error(`${instances.length} instances are too few`);
  let count = 0;
  const timer = setInterval(() => {
    for (let change = 0; change < changesAtOnce; change += 1, count += 1) {
      const one = instances[count % instances.length];
      const status = Math.floor(count / instances.length) % 2 === 0 ? 'Down' : 'Online';
      if (one !== undefined) simulator.control.setService(one.service, one.partition, one.replica, status);
    }
  }, every);
  return () => clearInterval(timer);
}

/** Changes the measured instance, and returns its new label on the status page. */
export function changeProbe(simulator: Simulator, status: 'Down' | 'Online'): string {
  simulator.control.setService(probe.service, probe.partition, probe.replica, status);
  return `${probe.name}: ${status}`;
}

/** Start of the label of the measured instance on the status page, before its status. */
export const probeLabel = `${probe.name}: `;

/** Reader of an event stream. */
export interface StreamReader {
  /** Number of events so far. */
  readonly count: () => number;
  /** Times at which a status of the measured instance arrived, in ms since the epoch, with its label on the page. */
  readonly arrivals: readonly (readonly [label: string, at: number])[];
  readonly stop: () => void;
}

/** Reads the event stream of a daemon. */
export async function readEvents(origin: string): Promise<StreamReader> {
  const request = get(`${origin}/api/v1/events`);
  const [response] = await once(request, 'response');
  const arrivals: (readonly [string, number])[] = [];
  let events = 0;
  let rest = '';
  response.setEncoding('utf8');
  response.on('error', () => undefined);
  response.on('data', (chunk: string) => {
    const at = Date.now();
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('event: ')) events += 1;
      if (!line.includes(`"service":"${probe.service}"`)) continue;
      const to = /"to":"(\w+)"/.exec(line)?.[1];
      if (to !== undefined && line.includes(`"replica":"${probe.replica}"`)) arrivals.push([`${probeLabel}${to}`, at]);
    }
  });
  return { count: () => events, arrivals, stop: () => void request.destroy() };
}
