import type { Millis } from '../../../src/kernel/time.ts';
import { configReloads } from './config-reloads.ts';
import { duplicateIds, faultyLists, frozenLists, permanentFaults, randomFaultPeriods } from './list-faults.ts';
import { balancedConnections, clockChanges, mixedNodes, nodeRestarts, wrongAges } from './node-faults.ts';
import type { PressurePlan, ScenarioKind } from './plan.ts';
import { timedGrant } from './policies.ts';
import type { BaseScenario, ScenarioAddition } from './queries.ts';
import { expectedAbortAge, longerThanRun, type QueryDraft, runawayQuery } from './queries.ts';
import type { RandomSource } from './random-source.ts';

type Scenario = (base: BaseScenario, draw: RandomSource) => ScenarioAddition;

/** Scenario of each kind. */
const scenarios: Readonly<Record<ScenarioKind, Scenario>> = {
  healthy: () => ({}),
  finishing: finishingQueries,
  'repeated query': sameEndpoint,
  'node restart': nodeRestarts,
  'mixed nodes': mixedNodes,
  'guard clock step': localClockSteps,
  'node clock steps': clockChanges,
  'bad lists': faultyLists,
  'frozen lists': frozenLists,
  'duplicate ids': duplicateIds,
  'long queue time': queuedQueries,
  'hostile lists': (base, draw) =>
    permanentFaults(['list has hostile entries', 'list has malformed entries'], base, draw),
  'wrong ages': wrongAges,
  pauses: guardPauses,
  crashes: processCrashes,
  'slow disk': slowDisk,
  'abort response faults': unusualAbortResponses,
  'group conditions': manyQueries,
  pressure: nodePressure,
  hours: (base, draw) => (draw.chance(0.4) ? localClockSteps(base, draw) : {}),
  reloads: configReloads,
  'connection balancer': balancedConnections,
  'slow preparation': slowPreparation,
  'rounded ages': queriesWithTimeout,
  'shared nodes': sharedNodes,
  'other guard': otherGuard,
};

/** Returns the faults of a scenario of a kind. */
export function scenarioFaults(kind: ScenarioKind, base: BaseScenario, draw: RandomSource): ScenarioAddition {
  return scenarios[kind](base, draw);
}

/** Adds queries that end by themselves about when the guard aborts them. */
function finishingQueries({ nodes, settings }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const queries = Array.from({ length: 6 }, () => {
    const runsFor = Math.max(1000, expectedAbortAge(draw.pick(settings.policies)) + draw.between(-6000, 1500));
    return runawayQuery(draw.pick(nodes).name, draw.between(0, 70_000), draw, { runsFor, queuedFor: 0 });
  });
  return { queries };
}

/** Adds clients that start the same query repeatedly. */
function sameEndpoint({ nodes, settings }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const drafts = [0, 1, 2].flatMap(() => {
    const first = runawayQuery(draw.pick(nodes).name, draw.between(0, 30_000), draw, { queuedFor: 0 });
    let at = first.at;
    return Array.from({ length: 4 }, () => {
      const lasts = Math.max(500, expectedAbortAge(draw.pick(settings.policies)) + draw.between(-8000, 3000));
      const one = { ...first, at, lasts };
      at += lasts + draw.between(0, 300);
      return one;
    });
  });
  return { queries: drafts };
}

/** Sets the clock of the guard, with servers that overstate ages, since the combination is hard to detect. */
function localClockSteps(base: BaseScenario, draw: RandomSource): ScenarioAddition {
  // Two steps between two checks of the clock could cancel each other.
  const steps = Array.from({ length: draw.between(1, 3) }, (_, index) => ({
    at: 5000 + index * 40_000 + draw.between(0, 25_000),
    kind: 'guard clock step' as const,
    by: draw.pick([-3_600_000, -30_000, -1500, 1500, 10_000, 60_000, 3_600_000]),
  }));
  return { ...(draw.chance(0.5) ? wrongAges(base, draw) : {}), events: steps };
}

/** Adds queries that wait in the queue for longer than their timeout. */
function queuedQueries({ nodes }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const drafts = Array.from({ length: 5 }, () =>
    runawayQuery(draw.pick(nodes).name, draw.between(0, 30_000), draw, {
      queuedFor: draw.between(5000, 90_000),
      runsFor: draw.pick([4000, 12_000, longerThanRun]),
    }),
  );
  return { queries: drafts };
}

/** Pauses and resumes the guard; some runs stay paused. */
function guardPauses(_: BaseScenario, draw: RandomSource): ScenarioAddition {
  const times = Array.from({ length: draw.between(1, 6) }, () => draw.between(0, 110_000)).toSorted(
    (one, other) => one - other,
  );
  const switched = times.map((at, index) => ({ at, kind: 'paused' as const, isPaused: index % 2 === 0 }));
  return {
    events: [...switched, ...(draw.chance(0.3) ? [{ at: draw.between(50_000, 120_000), kind: 'stop' as const }] : [])],
  };
}

/** Restarts the guard process. Lists may still contain queries that it aborted. */
function processCrashes({ nodes }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const events = Array.from({ length: draw.between(1, 3) }, (_, index) => ({
    at: 15_000 + index * 35_000 + draw.between(0, 25_000),
    kind: 'crash' as const,
    down: draw.between(200, 8000),
  }));
  const unstoppable = Array.from({ length: 2 }, () =>
    runawayQuery(draw.pick(nodes).name, draw.between(0, 20_000), draw, { ignoresAborts: true }),
  );
  return { events, queries: unstoppable };
}

/** Adds many queries at once. An operator closes the circuit breakers. */
function manyQueries({ nodes }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const at: Millis = draw.between(0, 40_000);
  const one = runawayQuery(draw.pick(nodes).name, at, draw, {
    graph: 'fraud',
    name: 'adhoc_1',
    url: '/query/fraud/adhoc_1',
    isInstalled: true,
  });
  const same = Array.from({ length: draw.between(3, 7) }, () => ({
    ...one,
    at: at + draw.between(0, 20_000),
    node: draw.pick(nodes).name,
  }));
  const reset = { at: draw.between(70_000, 120_000), kind: 'reset' as const, breaker: 'same_query fraud adhoc_1' };
  return { queries: same, events: draw.chance(0.4) ? [reset] : [] };
}

/** Draws samples of CPU and queues: high, low, or missing. */
function nodePressure({ nodes }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const isRelieved = draw.chance(0.4);
  const isSteady = draw.chance(0.5);
  const of = (node: string, source: 'node_memory' | 'queue_depth', high: number): PressurePlan => {
    const shown = () => (isSteady || draw.chance(0.8) ? high : draw.pick([[undefined], [0]])[0]);
    const values = Array.from({ length: 20 }, shown);
    const every = draw.pick([3000, 5000]);
    const refresh = every * draw.pick([1, 1, 3]);
    const frozenFrom = draw.chance(0.3) ? draw.between(20_000, 80_000) : longerThanRun;
    return { node, source, every, refresh, frozenFrom, values, relief: isRelieved ? high / 10 : 0 };
  };
  const drafts = Array.from({ length: draw.between(4, 10) }, () =>
    adhocQuery(draw.pick(nodes).name, draw, { at: draw.between(0, 30_000) }),
  );
  return {
    queries: drafts,
    pressures: nodes.flatMap(({ name }) => [of(name, 'node_memory', 0.95), of(name, 'queue_depth', 40)]),
  };
}

/** Makes what precedes an abort request slow, such as reading a token, while an operator pauses the guard. */
function slowPreparation(base: BaseScenario, draw: RandomSource): ScenarioAddition {
  const { events = [] } = guardPauses(base, draw);
  const { length } = base;
  return {
    ...finishingQueries(base, draw),
    faultPeriods: [
      { fault: 'abort preparation is slow', from: draw.pick([0, 50_000]), to: length, share: draw.pick([0.3, 0.8]) },
    ],
    events,
  };
}

/** Adds queries with the timeout that the policies of this kind look at. */
function queriesWithTimeout({ nodes }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const queries = nodes.map(({ name }) => adhocQuery(name, draw, { grantedTimeout: timedGrant }));
  return { queries };
}

/** Shares nodes with another cluster, which guards them until the configuration changes again. */
function sharedNodes({ nodes }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const names = nodes.map(({ name }) => name).slice(0, draw.between(1, nodes.length));
  const from = draw.pick([0, draw.between(10_000, 60_000)]);
  const back = { at: from + draw.between(20_000, 60_000), kind: 'shared' as const, nodes: [] };
  return { events: [{ at: from, kind: 'shared', nodes: names }, ...(draw.chance(0.5) ? [back] : [])] };
}

/** Adds a second guard with the same policies, which aborts the same queries a moment earlier. */
function otherGuard({ nodes, length }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const queries = nodes.flatMap(({ name }) =>
    Array.from({ length: 8 }, () => adhocQuery(name, draw, { grantedTimeout: longerThanRun })),
  );
  const fault = 'another guard aborts first' as const;
  return { queries, faultPeriods: [{ fault, from: 0, to: length, share: draw.pick([0.7, 1]) }] };
}

function adhocQuery(node: string, draw: RandomSource, changes: Partial<QueryDraft> = {}): QueryDraft {
  const name = draw.pick(['adhoc_1', 'adhoc_2', 'adhoc_3', 'adhoc_4']);
  const installed = { graph: 'fraud', name, url: `/query/fraud/${name}`, isInstalled: true };
  return runawayQuery(node, draw.between(0, 50_000), draw, { ...installed, ...changes });
}

/** Makes commits of intents slow or fail while other events happen. */
function slowDisk(base: BaseScenario, draw: RandomSource): ScenarioAddition {
  const { events: pauses = [] } = guardPauses(base, draw);
  const slow = { fault: 'commit is slow' as const, from: 0, to: base.length, share: draw.pick([0.3, 0.7]) };
  const { faultPeriods = [] } = randomFaultPeriods(['commit fails'], base, draw);
  const repaired = [60_000, 90_000, 120_000].map((at) => ({ at, kind: 'writable' as const }));
  return {
    ...finishingQueries(base, draw),
    faultPeriods: draw.chance(0.5) ? [slow, ...faultPeriods] : [slow],
    events: [...repaired, ...(draw.chance(0.6) ? pauses : [])],
  };
}

/** Adds faults of abort responses. */
function unusualAbortResponses(base: BaseScenario, draw: RandomSource): ScenarioAddition {
  const faults = [
    'abort is lost',
    'abort response is lost',
    'abort is rejected',
    'abort response is empty',
    'abort response is slow',
  ] as const;
  return permanentFaults([draw.chance(0.4) ? 'abort response has another id' : draw.pick(faults)], base, draw);
}
