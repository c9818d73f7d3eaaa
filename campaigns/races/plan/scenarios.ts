import type { Millis } from '../../../src/kernel/time.ts';
import { configReloads } from './config-reloads.ts';
import { duplicateIds, faultyLists, frozenLists, permanentFaults, randomFaultPeriods } from './list-faults.ts';
import { clockChanges, mixedNodes, nodeRestarts, wrongAges } from './node-faults.ts';
import type { PressurePlan, ScenarioKind } from './plan.ts';
import type { BaseScenario, ScenarioAddition } from './queries.ts';
import { expectedAbortAge, longerThanRun, runawayQuery } from './queries.ts';
import type { RandomSource } from './random-source.ts';

type Scenario = (ground: BaseScenario, draw: RandomSource) => ScenarioAddition;

/** Scenario of each kind. */
const scenarios: Readonly<Record<ScenarioKind, Scenario>> = {
  healthy: () => ({}),
  finishing: finishingQueries,
  'same endpoint again': sameEndpoint,
  'node restart': nodeRestarts,
  'mixed nodes': mixedNodes,
  'our clock': localClockSteps,
  'their clocks': clockChanges,
  'bad lists': faultyLists,
  'frozen lists': frozenLists,
  'ids twice': duplicateIds,
  'queued first': queuedQueries,
  'hostile lists': (ground, draw) => permanentFaults(['list is hostile', 'list has odd entries'], ground, draw),
  'wrong ages': wrongAges,
  pauses: guardPauses,
  crashes: processCrashes,
  'slow disk': slowDisk,
  'odd answers': unusualAbortResponses,
  crowds: manyQueries,
  pressure: nodePressure,
  hours: (ground, draw) => (draw.chance(0.4) ? localClockSteps(ground, draw) : {}),
  reloads: configReloads,
};

/** Returns the faults of a scenario of a kind. */
export function scenarioFaults(kind: ScenarioKind, ground: BaseScenario, draw: RandomSource): ScenarioAddition {
  return scenarios[kind](ground, draw);
}

/** Adds queries that end by themselves about when the guard aborts them. */
function finishingQueries({ nodes, settings }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const drafts = Array.from({ length: 6 }, () => {
    const lasts = Math.max(1000, expectedAbortAge(draw.pick(settings.policies)) + draw.between(-6000, 1500));
    return runawayQuery(draw.pick(nodes).name, draw.between(0, 70_000), draw, { lasts, waits: 0 });
  });
  return { drafts };
}

/** Adds clients that start the same query repeatedly. */
function sameEndpoint({ nodes, settings }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const drafts = [0, 1, 2].flatMap(() => {
    const first = runawayQuery(draw.pick(nodes).name, draw.between(0, 30_000), draw, { waits: 0 });
    let at = first.at;
    return Array.from({ length: 4 }, () => {
      const lasts = Math.max(500, expectedAbortAge(draw.pick(settings.policies)) + draw.between(-8000, 3000));
      const one = { ...first, at, lasts };
      at += lasts + draw.between(0, 300);
      return one;
    });
  });
  return { drafts };
}

/** Sets the clock of the guard, with servers that overstate ages, since the combination is hard to detect. */
function localClockSteps(ground: BaseScenario, draw: RandomSource): ScenarioAddition {
  // Two steps between two checks of the clock could cancel each other.
  const steps = Array.from({ length: draw.between(1, 3) }, (_, index) => ({
    at: 5000 + index * 40_000 + draw.between(0, 25_000),
    kind: 'our clock' as const,
    by: draw.pick([-3_600_000, -30_000, -1500, 1500, 10_000, 60_000, 3_600_000]),
  }));
  return { ...(draw.chance(0.5) ? wrongAges(ground, draw) : {}), happenings: steps };
}

/** Adds queries that wait in the queue for longer than their timeout. */
function queuedQueries({ nodes }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const drafts = Array.from({ length: 5 }, () =>
    runawayQuery(draw.pick(nodes).name, draw.between(0, 30_000), draw, {
      waits: draw.between(5000, 90_000),
      lasts: draw.pick([4000, 12_000, longerThanRun]),
    }),
  );
  return { drafts };
}

/** Pauses and resumes the guard; some runs stay paused. */
function guardPauses(_: BaseScenario, draw: RandomSource): ScenarioAddition {
  const times = Array.from({ length: draw.between(1, 6) }, () => draw.between(0, 110_000)).toSorted(
    (one, other) => one - other,
  );
  const switched = times.map((at, index) => ({ at, kind: 'paused' as const, isPaused: index % 2 === 0 }));
  return {
    happenings: [
      ...switched,
      ...(draw.chance(0.3) ? [{ at: draw.between(50_000, 120_000), kind: 'stop' as const }] : []),
    ],
  };
}

/** Restarts the guard process. Lists may still contain queries that it aborted. */
function processCrashes({ nodes }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const happenings = Array.from({ length: draw.between(1, 3) }, (_, index) => ({
    at: 15_000 + index * 35_000 + draw.between(0, 25_000),
    kind: 'crash' as const,
    down: draw.between(200, 8000),
  }));
  const zombies = Array.from({ length: 2 }, () =>
    runawayQuery(draw.pick(nodes).name, draw.between(0, 20_000), draw, { isZombie: true }),
  );
  return { happenings, drafts: zombies };
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
  return { drafts: same, happenings: draw.chance(0.4) ? [reset] : [] };
}

/** Draws samples of CPU and queues: high, low, or missing. */
function nodePressure({ nodes }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const isRelieved = draw.chance(0.4);
  const isSteady = draw.chance(0.5);
  const of = (node: string, source: 'node_memory' | 'queue_depth', high: number): PressurePlan => {
    const shown = () => (isSteady || draw.chance(0.8) ? high : draw.pick([[undefined], [0]])[0]);
    const values = Array.from({ length: 20 }, shown);
    return { node, source, every: draw.pick([3000, 5000]), values, relief: isRelieved ? high / 10 : 0 };
  };
  const drafts = Array.from({ length: draw.between(4, 10) }, () => {
    const name = draw.pick(['adhoc_1', 'adhoc_2', 'adhoc_3', 'adhoc_4']);
    const url = `/query/fraud/${name}`;
    return runawayQuery(draw.pick(nodes).name, draw.between(0, 30_000), draw, {
      graph: 'fraud',
      name,
      url,
      isInstalled: true,
    });
  });
  return {
    drafts,
    pressures: nodes.flatMap(({ name }) => [of(name, 'node_memory', 0.95), of(name, 'queue_depth', 40)]),
  };
}

/** Makes commits of intents slow or fail while other events happen. */
function slowDisk(ground: BaseScenario, draw: RandomSource): ScenarioAddition {
  const { happenings = [] } = guardPauses(ground, draw);
  const slow = { trouble: 'commit is slow' as const, from: 0, to: ground.length, share: draw.pick([0.3, 0.7]) };
  const { spells = [] } = randomFaultPeriods(['commit fails'], ground, draw);
  const mended = [60_000, 90_000, 120_000].map((at) => ({ at, kind: 'writable' as const }));
  return {
    ...finishingQueries(ground, draw),
    spells: draw.chance(0.5) ? [slow, ...spells] : [slow],
    happenings: [...mended, ...(draw.chance(0.6) ? happenings : [])],
  };
}

/** Adds faults of abort responses. */
function unusualAbortResponses(ground: BaseScenario, draw: RandomSource): ScenarioAddition {
  const troubles = [
    'abort is lost',
    'answer is lost',
    'abort is refused',
    'answer is empty',
    'answer is slow',
  ] as const;
  return permanentFaults([draw.chance(0.4) ? 'answer names another' : draw.pick(troubles)], ground, draw);
}
