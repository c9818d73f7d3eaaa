import type { Millis } from '../../kernel/time.ts';
import type { GuardSettings, Policy } from '../policy.ts';
import type { ReplayedDecision } from './tally.ts';

/** What the server itself could have been told about one query, so that no policy had to act. */
export interface NativeSetting {
  readonly graph: string;
  readonly query: string;
  /** How many aborts it would have made needless. */
  readonly aborts: number;
  readonly policies: readonly string[];
  /** For the header `GSQL-TIMEOUT`, in milliseconds: as old as the youngest of them was at E. */
  readonly timeout: Millis;
  /** How many of it may run at once by a policy's group; undefined where none looks at groups. */
  readonly atOnce?: number;
  /** A policy waits for the queue: its length is limited by `RESTPP.WorkLoadManager.MaxDelayQueueSize`. */
  readonly queueLimit?: number;
}

const second: Millis = 1000;

/** By query, those with most aborts first. */
export function nativeSettings(
  decisions: readonly ReplayedDecision[],
  { policies }: Pick<GuardSettings, 'policies'>,
): readonly NativeSetting[] {
  const acted = decisions.filter(({ verdict }) => verdict === 'aborted' || verdict === 'would_abort');
  const byQuery = Map.groupBy(acted, ({ graph, query }) => `${graph} ${query}`);
  return [...byQuery.values()]
    .map((rows) => settingFor(rows, policies))
    .toSorted((one, other) => other.aborts - one.aborts || (nameOf(one) < nameOf(other) ? -1 : 1));
}

function settingFor(rows: readonly ReplayedDecision[], policies: readonly Policy[]): NativeSetting {
  const names = [...new Set(rows.map(({ policy }) => policy))];
  const own = policies.filter(({ name }) => names.includes(name));
  const [{ graph, query } = { graph: '', query: '' }] = rows;
  const youngest = Math.min(...rows.map(({ age }) => age));
  const atOnce = least(own.flatMap(mostAtOnce));
  const queueLimit = least(own.flatMap(longestQueue));
  return {
    graph,
    query,
    aborts: rows.length,
    policies: names,
    timeout: Math.max(second, Math.floor(youngest / second) * second),
    ...(atOnce === undefined ? {} : { atOnce }),
    ...(queueLimit === undefined ? {} : { queueLimit }),
  };
}

/** The most that do not make a group. */
function mostAtOnce({ group }: Policy): readonly number[] {
  const count = group?.count;
  return count === undefined ? [] : [mostBelow(count)];
}

function longestQueue({ gate }: Policy): readonly number[] {
  return (gate?.clauses ?? []).filter(({ source }) => source === 'queue_depth').map(({ bound }) => mostBelow(bound));
}

function mostBelow({ operator, value }: { readonly operator: string; readonly value: number }): number {
  return Math.max(1, operator === '>=' ? value - 1 : value);
}

function least(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.min(...values);
}

function nameOf({ graph, query }: Pick<NativeSetting, 'graph' | 'query'>): string {
  return `${graph}/${query}`;
}
