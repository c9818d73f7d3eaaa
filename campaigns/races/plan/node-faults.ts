import type { Millis } from '../../../src/kernel/time.ts';
import type { FaultPeriod } from './plan.ts';
import type { BaseScenario, ScenarioAddition } from './queries.ts';
import { longerThanRun, type QueryDraft, runawayQuery } from './queries.ts';
import type { RandomSource } from './random-source.ts';

/** Restarts nodes. Their clocks may go back, so that ids repeat. A query with a repeated id begins a while later. */
export function nodeRestarts({ nodes, queries: drafts }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const { name, tag, clockOffset } = draw.pick(nodes);
  const at = draw.between(15_000, 80_000);
  const isOther = draw.chance(0.3);
  const old = drafts.filter((one) => one.node === name && one.at < at && one.runsFor === longerThanRun);
  const again = old.map((one) => ({
    ...runawayQuery(name, at + draw.between(4000, 20_000), draw),
    url: one.url,
    graph: one.graph,
    name: one.name,
    isInstalled: one.isInstalled,
  }));
  return {
    queries: again.map((one, index) => {
      const reusesIdOf = old[index];
      return reusesIdOf === undefined || isOther || draw.chance(0.3) ? one : { ...one, reusesIdOf };
    }),
    events: [
      {
        at,
        kind: 'node restarts',
        node: name,
        tag: isOther ? tag.replace('_1_', '_2_') : tag,
        clockOffset: clockOffset - draw.pick([0, 10_000, 60_000]),
      },
    ],
  };
}

/** Shuffles requests between two nodes, or gives both nodes the same instance tag. */
export function mixedNodes({ nodes, queries: drafts, length }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const [one, other] = nodes;
  if (one === undefined || other === undefined) return {};
  const there = drafts.filter(({ node, runsFor }) => node === one.name && runsFor === longerThanRun);
  const sameTag = there.map((reuses) => ({
    ...runawayQuery(other.name, reuses.at + draw.between(1, 20_000), draw),
    reuses,
  }));
  const from = draw.chance(0.7) ? 0 : draw.between(0, 60_000);
  const shuffle = [one, other].map(({ name }) => ({
    fault: 'requests reach another node' as const,
    from,
    to: length,
    share: 1,
    node: name,
  }));
  return draw.chance(0.6) ? { faultPeriods: shuffle, queries: sameQueryOnNodes(nodes, draw) } : { queries: sameTag };
}

/** Closes connections, of which each new one may lead to either of two machines, as behind a balancer. */
export function balancedConnections({ nodes, length }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const from = draw.chance(0.4) ? 0 : draw.between(60_000, 100_000);
  const share = draw.pick([0.03, 0.1, 0.3]);
  const names = nodes.slice(0, draw.between(1, 2)).map(({ name }) => name);
  const closed = names.map((node) => ({ fault: 'connections are closed' as const, from, to: length, share, node }));
  const moved = names.map((node) => ({
    fault: 'connections reach another node' as const,
    from,
    to: length,
    share: 1,
    node,
  }));
  return { faultPeriods: [...closed, ...moved], queries: sameQueryOnNodes(nodes, draw) };
}

/** Adds a query on a shuffled node and one on another node, which three lists could show as three queries. */
function sameQueryOnNodes(nodes: BaseScenario['nodes'], draw: RandomSource): readonly QueryDraft[] {
  const plain = { graph: 'fraud', name: 'adhoc_4', url: '/query/fraud/adhoc_4', isInstalled: true };
  const order = [draw.pick(nodes.slice(0, 2)), ...nodes.slice(2)];
  return order.map(({ name }) => runawayQuery(name, draw.between(0, 50_000), draw, plain));
}

const steps: readonly Millis[] = [-3_600_000, -20_000, -2000, 2000, 20_000, 3_600_000];

/**
 * Sets clocks of nodes, which drift too. Nodes that compute ages from the clock change it only after the guard starts.
 */
export function clockChanges({ nodes, startsAt }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const sets = nodes.map(({ name, computesAgesByWallClock }) => ({
    at: computesAgesByWallClock ? startsAt + draw.between(12_000, 60_000) : draw.between(5000, 110_000),
    kind: 'node clock step' as const,
    node: name,
    by: computesAgesByWallClock ? draw.pick([-20_000, 20_000, 60_000, 3_600_000]) : draw.pick(steps),
  }));
  const isSet = draw.chance(0.6) || nodes.some(({ computesAgesByWallClock }) => computesAgesByWallClock);
  return { events: isSet ? sets : [] };
}

/** Adds one query with an overstated age per node, next to the short queries with a correct age. */
export function wrongAges({ nodes, startsAt: begins }: BaseScenario, draw: RandomSource): ScenarioAddition {
  const queries = nodes.map(({ name }) =>
    // Not before the guard starts: one list does not show whether the age is wrong or the clock of the node.
    runawayQuery(name, begins + draw.between(12_000, 60_000), draw, {
      graph: 'fraud',
      name: 'adhoc_1',
      url: '/query/fraud/adhoc_1',
      isInstalled: true,
      queuedFor: 0,
      runsFor: draw.between(10_000, 50_000),
      // An age that is overstated by less than the list interval could be that of a query that began between two lists.
      overstatedAge: draw.pick([2000, 40_000, 600_000]),
    }),
  );
  const events = draw.chance(0.5) ? [] : queries.map((one) => matchingClockChange(one, draw));
  // After a long gap, an overstated age could be that of a query that began in the gap.
  const gaps = draw.chance(0.5) ? [] : queries.map((one) => listGap(one, begins + 11_000, draw));
  return { queries, events, faultPeriods: gaps };
}

/** Lets the lists fail before a query begins, until shortly after; those of the first seconds arrive. */
function listGap({ node, at }: QueryDraft, earliest: Millis, draw: RandomSource): FaultPeriod {
  const to = at + draw.between(0, 2000);
  return { fault: 'list fails', from: Math.max(earliest, to - draw.between(20_000, 60_000)), to, share: 1, node };
}

/** Sets the clock of a node so that it confirms an overstated age, after other queries began by the old clock. */
function matchingClockChange({ node, at, overstatedAge }: QueryDraft, draw: RandomSource) {
  return {
    at: at + draw.between(1000, 8000),
    kind: 'node clock step' as const,
    node,
    by: overstatedAge + draw.pick([0, 3000, 90_000]),
  };
}
