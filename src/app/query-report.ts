import { entryOf } from '../collect/entry-of.ts';
import { inSeconds } from '../kernel/time.ts';
import type { ListedQuery } from '../model/query.ts';
import type { QueryVerdict, Verdict } from './query-verdict.ts';
import type { Site } from './site.ts';

/** One query of the latest list of a node, as the API and the terminal tell of it. Its parameters are nobody's business. */
export interface QueryReport extends Verdict {
  readonly cluster: string;
  readonly node: string;
  readonly state: ListedQuery['state'];
  /** Of a delayed one partial: several may have the same. */
  readonly id: string;
  readonly graph: string;
  /** Name of the installed query, or what kind of call it is. */
  readonly query: string;
  readonly kind: ListedQuery['kind'];
  /** How old it was when the list was read; of a delayed one how long it had waited. */
  readonly ageSeconds: number | null;
  readonly grantedTimeoutSeconds: number | null;
  /** Negative where it runs beyond its time-out. */
  readonly remainingSeconds: number | null;
  readonly overdue: boolean;
  /** When the list was read. */
  readonly asOf: string;
}

/** The queries of all nodes whose latest list is good and not overdue, the oldest first. */
export function reportQueries({
  pipeline,
  board,
  guard,
}: Pick<Site, 'pipeline' | 'board' | 'guard'>): readonly QueryReport[] {
  const verdicts = new Map<string, QueryVerdict>();
  const reports = pipeline.feeds().flatMap(({ feed }) => {
    const entry = board.latest(feed);
    if (feed.of.listed === undefined || entry?.fresh !== true || !entry.reading.result.ok) return [];
    const { result, ended } = entry.reading;
    const asOf = new Date(ended.wall).toISOString();
    const place = { cluster: feed.cluster, node: feed.node };
    const verdict = entryOf(verdicts, feed.cluster, () => guard.verdicts(feed.cluster));
    return feed.of
      .listed(result.value, ended)
      .map((listed) => ({ ...place, ...reportOf(listed), asOf, ...verdict(feed.node, listed) }));
  });
  return reports.toSorted((one, other) => (other.ageSeconds ?? -1) - (one.ageSeconds ?? -1));
}

function reportOf({ state, id, graph, query, kind, age, grantedTimeout }: ListedQuery) {
  const remaining = age === undefined || grantedTimeout === undefined ? undefined : grantedTimeout - age;
  return {
    state,
    id,
    graph,
    query,
    kind,
    ageSeconds: secondsOf(age),
    grantedTimeoutSeconds: secondsOf(grantedTimeout),
    remainingSeconds: secondsOf(remaining),
    overdue: remaining !== undefined && remaining < 0,
  };
}

function secondsOf(length: number | undefined): number | null {
  return length === undefined ? null : inSeconds(length);
}
