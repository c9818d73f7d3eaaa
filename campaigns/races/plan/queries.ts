import type { GuardSettings, Policy } from '../../../src/guard/policy.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import type { FaultPeriod, NodePlan, PlannedEvent, PressurePlan, QueryPlan } from './plan.ts';
import { knownGraphs, queryNames, unknownGraph } from './policies.ts';
import type { RandomSource } from './random-source.ts';

/** Query without its number. */
export interface QueryDraft extends Omit<QueryPlan, 'sameIdAs'> {
  readonly at: Millis;
  readonly reusesIdOf?: QueryDraft;
}

/** Duration that exceeds each run. */
export const longerThanRun: Millis = 3_600_000;

/** Returns a long-running query without faults. */
export function runawayQuery(
  node: string,
  at: Millis,
  draw: RandomSource,
  changes: Partial<QueryDraft> = {},
): QueryDraft {
  const graph = draw.chance(0.94) ? draw.pick([...knownGraphs, 'fraud', 'sandbox']) : unknownGraph;
  const name = draw.pick([...queryNames, 'adhoc_1', 'adhoc_2', 'adhoc_3']);
  const isInstalled = draw.chance(0.92);
  const grantedTimeout = draw.pick([16_000, 120_000, 600_000, 3_600_000]);
  return {
    at,
    node,
    graph,
    name,
    url: isInstalled ? installedUrl(graph, name, draw) : otherUrl(graph, name, draw),
    isInstalled,
    queuedFor: draw.chance(0.1) ? draw.between(100, 8000) : 0,
    runsFor: longerThanRun,
    ...(draw.chance(0.9) && { grantedTimeout }),
    ignoresAborts: draw.chance(0.06),
    overstatedAge: 0,
    ...changes,
  };
}

function installedUrl(graph: string, name: string, draw: RandomSource): string {
  return `${draw.pick(['', '', '/restpp'])}/query/${graph}/${name}${draw.pick(['', '?depth=4', '?url=*&requestid=all'])}`;
}

function otherUrl(graph: string, name: string, draw: RandomSource): string {
  return draw.pick([
    `/builtins/${graph}?x=1`,
    `/query/${graph}/${name}/more`,
    `/gsqlserver/interpreted_query?graph=${graph}`,
    `/endpoints/${graph}`,
    `/allpaths/${graph}`,
  ]);
}

/** Returns many short queries, from which the guard learns the clock offset of a node. */
export function backgroundQueries(node: string, length: Millis, draw: RandomSource): readonly QueryDraft[] {
  const queries: QueryDraft[] = [];
  const pace = draw.between(2000, 8000);
  for (let at = draw.between(0, 2000); at < length; at += draw.between(pace / 2, pace * 1.5)) {
    const runsFor = draw.chance(0.8) ? draw.between(100, 6000) : draw.between(2000, 12_000);
    queries.push(
      runawayQuery(node, at, draw, {
        name: 'report_1',
        graph: 'fraud',
        url: '/query/fraud/report_1',
        isInstalled: true,
        queuedFor: 0,
        runsFor,
      }),
    );
  }
  return queries;
}

/** Returns the approximate age at which a policy aborts a query. */
export function expectedAbortAge({ when, grace }: Pick<Policy, 'when' | 'grace'>): Millis {
  return (when.age?.value ?? 5000) + grace;
}

/** Numbers the queries in the order of their arrival. */
export function toQueryEvents(queries: readonly QueryDraft[]): readonly PlannedEvent[] {
  const inOrder = queries.toSorted((one, other) => one.at - other.at);
  return inOrder.map(({ at, reusesIdOf, ...query }) => ({
    at,
    kind: 'query',
    query: { ...query, ...(reusesIdOf !== undefined && { sameIdAs: inOrder.indexOf(reusesIdOf) }) },
  }));
}

/** Additions of a scenario kind to the base scenario. */
export interface ScenarioAddition {
  readonly queries?: readonly QueryDraft[];
  readonly faultPeriods?: readonly FaultPeriod[];
  readonly events?: readonly Exclude<PlannedEvent, { kind: 'query' }>[];
  readonly pressures?: readonly PressurePlan[];
}

/** Scenario before faults are added. */
export interface BaseScenario {
  readonly settings: GuardSettings;
  readonly nodes: readonly NodePlan[];
  readonly queries: readonly QueryDraft[];
  readonly length: Millis;
  /** When the guard process starts for the first time. */
  readonly startsAt: Millis;
}
