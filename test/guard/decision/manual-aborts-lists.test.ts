import { describe, expect, it } from 'vitest';
import { policyOf } from '../match-inputs.ts';
import { GuardSimulation, type SimulationBehavior, settingsOf } from './guard-simulation.ts';

interface Scene {
  readonly ways?: Partial<SimulationBehavior>;
  readonly url?: string;
  readonly graph?: string;
  readonly before?: (simulation: GuardSimulation) => void;
}

/** A query that no policy matches yet, with a manual abort request. */
function requestAbort({ ways = {}, url, before, graph }: Scene = {}) {
  const simulation = new GuardSimulation(settingsOf([policyOf()]), ways).begin();
  const query = simulation.start(url === undefined ? {} : { url });
  simulation.run(2000);
  before?.(simulation);
  const request = { kind: 'manual', node: 'n1', by: 'alice', reason: 'overload', whilePaused: false } as const;
  simulation.send({ ...request, id: query.id, ...(graph === undefined ? {} : { graph }) });
  simulation.run(60_000);
  return { simulation, query, skipReasons: simulation.of('declined').map(({ skipReason }) => skipReason) };
}

describe('manual abort, by its lists', () => {
  it('is declined for a query that has ended, with its name, after two lists without it', () => {
    const { simulation } = requestAbort({ before: (setup) => setup.queries.splice(0) });
    expect(simulation.of('declined')).toMatchObject([
      { skipReason: 'not_listed', ended: { graph: 'fraud', query: 'ring_scan', age: expect.any(Number) } },
    ]);
    expect(simulation.of('declined')[0]?.ended?.age).toBeGreaterThan(0);
    expect(simulation.aborts).toEqual([]);
    const [first, second] = simulation.of('list').filter(({ purpose }) => purpose === 'fresh');
    expect(simulation.of('declined')[0]?.time).toBeGreaterThan(second?.time ?? 0);
    expect(first?.time).toBeLessThan(second?.time ?? 0);
  });

  it('aborts a query that is missing in one list', () => {
    let lists = 0;
    const forgets = {
      body: (results: readonly unknown[]) => {
        lists += 1;
        return { error: false, results: lists === 2 ? [] : results };
      },
    };
    const { simulation, query, skipReasons } = requestAbort({ ways: forgets });
    expect(skipReasons).toEqual([]);
    expect(simulation.aborts).toMatchObject([{ order: { id: query.id } }]);
  });

  it('aborts an interpreted query in the graph that the operator names', () => {
    const url = '/gsqlserver/interpreted_query?depth=4';
    expect(requestAbort({ url }).skipReasons).toEqual(['not_installed']);
    expect(requestAbort({ url, graph: 'unknown' }).skipReasons).toEqual(['unknown_graph']);
    const { simulation, query } = requestAbort({ url, graph: 'sandbox' });
    expect(simulation.aborts).toMatchObject([{ order: { id: query.id, graph: 'sandbox' } }]);
    expect(simulation.of('intent')).toMatchObject([{ intent: { graph: 'sandbox', query: 'interpreted' } }]);
  });

  it('uses the graph of an installed query instead of the given one', () => {
    expect(requestAbort({ graph: 'sandbox' }).simulation.aborts).toMatchObject([{ order: { graph: 'fraud' } }]);
    expect(requestAbort({ url: '/showprocesslist/fraud', graph: 'fraud' }).skipReasons).toEqual(['not_installed']);
  });
});
