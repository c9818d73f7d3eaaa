import type { Fault, FaultPeriod } from './plan.ts';
import type { BaseScenario, ScenarioAddition } from './queries.ts';
import { expectedAbortAge, runawayQuery } from './queries.ts';
import type { RandomSource } from './random-source.ts';

const listFaults: readonly Fault[] = [
  'list fails',
  'list is malformed',
  'list has an error',
  'list is slow',
  'list is frozen',
  'list has a duplicate id',
  'list has a foreign entry',
];

/** Adds list faults of several kinds. */
export function faultyLists(base: BaseScenario, draw: RandomSource): ScenarioAddition {
  return randomFaultPeriods(listFaults, base, draw);
}

/** Freezes lists: the cluster returns the same list while its queries end. */
export function frozenLists({ nodes, settings }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const from = draw.between(45_000, 80_000);
  const queries = nodes.flatMap(({ name }) =>
    [0, 1, 2].map(() => {
      const at = Math.max(0, from - expectedAbortAge(draw.pick(settings.policies)) + draw.between(-15_000, 2000));
      return runawayQuery(name, at, draw, { queuedFor: 0, runsFor: from - at + draw.between(500, 8000) });
    }),
  );
  return {
    queries,
    faultPeriods: [{ fault: 'list is frozen', from, to: from + draw.between(10_000, 45_000), share: 1 }],
  };
}

/** Duplicates the entries of lists, the second time with false fields. */
export function duplicateIds({ nodes, length }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const drafts = [0, 1, 2].map(() => {
    const name = draw.pick(['keep_1', 'report_1', 'etl_1']);
    const url = `/query/sandbox/${name}`;
    return runawayQuery(draw.pick(nodes).name, draw.between(0, 30_000), draw, {
      graph: 'sandbox',
      name,
      url,
      isInstalled: true,
    });
  });
  const node = draw.pick(nodes).name;
  return {
    queries: drafts,
    faultPeriods: [{ fault: 'list has a duplicate id', from: 0, to: length, node, share: draw.pick([0.5, 1]) }],
  };
}

/** Draws three fault periods. */
export function randomFaultPeriods(
  faults: readonly Fault[],
  { nodes, length }: BaseScenario,
  draw: RandomSource,
): ScenarioAddition {
  const some = Array.from({ length: 3 }, (): FaultPeriod => {
    const from = draw.between(0, length - 60_000);
    const node = draw.pick(nodes).name;
    return {
      fault: draw.pick(faults),
      from,
      to: from + draw.between(3000, 40_000),
      share: draw.pick([0.3, 1, 1]),
      ...(draw.chance(0.7) && { node }),
    };
  });
  return { faultPeriods: some };
}

/** Returns faults that last for the whole run. */
export function permanentFaults(
  faults: readonly Fault[],
  { length }: BaseScenario,
  draw: RandomSource,
): ScenarioAddition {
  return { faultPeriods: faults.map((fault) => ({ fault, from: 0, to: length, share: draw.pick([0.5, 1, 1]) })) };
}
