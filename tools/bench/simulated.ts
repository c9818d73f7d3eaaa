import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';

/** A simulated cluster as a process of its own, so that its CPU is not counted as ours. */
const [nodes = '3', instances = '0'] = process.argv.slice(2);
const options = { nodes: Number(nodes), instancesPerNode: Number(instances), scenario: 'calm' } as const;
const simulator = await startSimulator(options, { listen, clock: systemClock });
process.send?.({ urls: simulator.nodes.map((node) => node.url) });
