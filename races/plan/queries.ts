import type { Policy } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { Draw } from './draw.ts';
import type { Happening, QueryPlan } from './plan.ts';
import { knownGraphs, queryNames, unknownGraph } from './policies.ts';

/** A query that is still to get its number. */
export interface Draft extends Omit<QueryPlan, 'sameIdAs'> {
  readonly at: Millis;
  readonly reuses?: Draft;
}

/** Longer than any run. */
export const endless: Millis = 3_600_000;

/** A query that nothing is odd about, and that goes on for long. */
export function runaway(node: string, at: Millis, draw: Draw, changes: Partial<Draft> = {}): Draft {
  const graph = draw.chance(0.94) ? draw.of([...knownGraphs, 'fraud', 'sandbox']) : unknownGraph;
  const name = draw.of([...queryNames, 'adhoc_1', 'adhoc_2', 'adhoc_3']);
  const isInstalled = draw.chance(0.92);
  const granted = draw.of([16_000, 120_000, 600_000, 3_600_000]);
  return {
    at,
    node,
    graph,
    name,
    url: isInstalled ? installedUrl(graph, name, draw) : otherUrl(graph, name, draw),
    isInstalled,
    waits: draw.chance(0.1) ? draw.between(100, 8000) : 0,
    lasts: endless,
    ...(draw.chance(0.9) && { granted }),
    isZombie: draw.chance(0.06),
    lie: 0,
    ...changes,
  };
}

function installedUrl(graph: string, name: string, draw: Draw): string {
  return `${draw.of(['', '', '/restpp'])}/query/${graph}/${name}${draw.of(['', '?depth=4', '?url=*&requestid=all'])}`;
}

function otherUrl(graph: string, name: string, draw: Draw): string {
  return draw.of([
    `/builtins/${graph}?x=1`,
    `/query/${graph}/${name}/more`,
    `/gsqlserver/interpreted_query?graph=${graph}`,
    `/endpoints/${graph}`,
    `/allpaths/${graph}`,
  ]);
}

/** The many that come and go: by these one learns what a node's clock shows. */
export function traffic(node: string, length: Millis, draw: Draw): readonly Draft[] {
  const drafts: Draft[] = [];
  const pace = draw.between(2000, 8000);
  for (let at = draw.between(0, 2000); at < length; at += draw.between(pace / 2, pace * 1.5)) {
    const lasts = draw.chance(0.8) ? draw.between(100, 6000) : draw.between(2000, 12_000);
    drafts.push(
      runaway(node, at, draw, {
        name: 'report_1',
        graph: 'fraud',
        url: '/query/fraud/report_1',
        isInstalled: true,
        waits: 0,
        lasts,
      }),
    );
  }
  return drafts;
}

/** When a query that began at 0 would be aborted, about, by what a policy asks of its age. */
export function ripeAt({ when, grace }: Pick<Policy, 'when' | 'grace'>): Millis {
  return (when.age?.value ?? 5000) + grace;
}

/** Gives all their numbers, in the order in which they come. */
export function numbered(drafts: readonly Draft[]): readonly Happening[] {
  const inOrder = drafts.toSorted((one, other) => one.at - other.at);
  return inOrder.map(({ at, reuses, ...query }) => ({
    at,
    kind: 'query',
    query: { ...query, ...(reuses !== undefined && { sameIdAs: inOrder.indexOf(reuses) }) },
  }));
}
