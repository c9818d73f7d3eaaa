import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';

/** Simulated clusters of equal size in a separate process, so that their CPU time does not count for graphwarden. */
const [nodes = '3', instances = '0', clusters = '1', graphs = '2', extraTypes = '0'] = process.argv.slice(2);
const options = {
  nodes: Number(nodes),
  instancesPerNode: Number(instances),
  graphs: ['fraud', 'social', ...Array.from({ length: Number(graphs) }, (_, at) => `g${at}`)].slice(0, Number(graphs)),
  extraTypes: Number(extraTypes),
  scenario: 'calm',
} as const;
const simulators = Array.from({ length: Number(clusters) }, () =>
  startSimulator(options, { listen, clock: systemClock }),
);
const started = await Promise.all(simulators);
process.send?.({ clusters: started.map((simulator) => simulator.nodes.map((node) => node.url)) });

/** Paths of the requests of two collectors: one polls the cluster, the other each node. */
const polled: ReadonlySet<string> = new Set(['/informant/current-service-status', '/restpp/showprocesslistall']);

process.on('message', (message) => {
  if (message === 'polls') process.send?.({ polls: started.flatMap((simulator) => pollsOf(simulator)) });
});

/** Returns the times of the polls of each collector on each node, ms since the epoch. */
function pollsOf(simulator: Simulator): readonly (readonly number[])[] {
  const requests = simulator.calls().filter(({ path }) => polled.has(path));
  const groups = Map.groupBy(requests, ({ node, path }) => `${node} ${path}`);
  return [...groups.values()].map((group) => group.map(({ at }) => at));
}
