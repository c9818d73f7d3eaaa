import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { factsOf, patient } from '../support/client.ts';
import { listen } from '../support/returning-port.ts';
import { guardedNode, pathOf } from './guarded-node.ts';

describe('an abort', () => {
  it('smoke', async () => {
    const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
    const [first] = simulator.nodes;
    const query = simulator.control.startQuery({ node: 'm1', graph: 'fraud', query: 'x', runsFor: 60_000 });
    const { node, address } = guardedNode(first?.url ?? '');
    onTestFinished(async () => {
      await node.close();
      await simulator.close();
    });
    factsOf(await node.db.processListAll(patient()));
    expect(address()).toBe(`127.0.0.1:${first?.port}`);
    const reply = await node.abort({ path: pathOf(query?.requestId ?? ''), address: address() }, patient());
    expect(reply).toEqual({ kind: 'taken', aborted: [query?.requestId] });
    expect(simulator.aborts()).toHaveLength(1);
    expect(node.sockets()).toBe(1);
  });
});
