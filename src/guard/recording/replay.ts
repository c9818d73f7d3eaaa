import type { Millis } from '../../kernel/time.ts';
import type { GuardSettings, Mode, Policy } from '../policy.ts';
import type { RecordingEvent, RecordingHeader } from './format.ts';
import { fitToRecording, type UnreplayablePolicy } from './replay-adapter.ts';
import type { NodeListCounts, ReplayedDecision, ReplayResult } from './replay-results.ts';
import { type OpenedBreaker, ReplayedGuard } from './replayed-guard.ts';

/** Number of matches of one policy, by result. */
export interface PolicyTotal {
  readonly policy: string;
  /** Mode of the evaluation. */
  readonly mode: Mode;
  readonly matches: number;
  readonly results: Readonly<Record<ReplayResult, number>>;
}

/** Policy that cannot be replayed from the recording, with the number of queries that it may match. */
export interface UnknownTotal extends UnreplayablePolicy {
  readonly matches: number;
}

/** Report of a replay. Times are ms since the epoch. The report has no user data. */
export interface ReplayReport {
  readonly cluster: string;
  readonly from: number;
  readonly to: number;
  readonly nodes: readonly NodeListCounts[];
  /** Decisions by earliest abort time. */
  readonly decisions: readonly ReplayedDecision[];
  /** Number of decisions beyond the limit of the list. */
  readonly unlisted: number;
  readonly policies: readonly PolicyTotal[];
  readonly unknown: readonly UnknownTotal[];
  readonly breakers: readonly OpenedBreaker[];
  readonly settings: readonly NativeSetting[];
}

/** Runs a recording through the guard, line by line. */
export class Replay {
  readonly #header: RecordingHeader;
  readonly #settings: GuardSettings;
  readonly #guard: ReplayedGuard;
  readonly #guesses: readonly { readonly unanswered: UnreplayablePolicy; readonly guard: ReplayedGuard }[];
  #from: number | undefined;
  #to = 0;

  constructor(guard: GuardSettings, header: RecordingHeader, options: { readonly enforceAll?: boolean } = {}) {
    const { settings, guesses } = fitToRecording(guard, header, options);
    this.#header = header;
    this.#settings = settings;
    this.#guard = new ReplayedGuard(settings, header);
    this.#guesses = guesses.map((one) => ({
      unanswered: one.unanswered,
      guard: new ReplayedGuard(one.settings, header),
    }));
  }

  /** Replays the next event of the recording. */
  feed(event: RecordingEvent): void {
    this.#from ??= event.at.wall;
    this.#to = event.at.wall;
    this.#guard.feed(event);
    for (const { guard } of this.#guesses) guard.feed(event);
  }

  /** Ends the replay and returns its report. */
  finish(): ReplayReport {
    this.#guard.finish();
    const { results, nodes, breakers } = this.#guard;
    const decisions = results.rows.toSorted(byTime);
    return {
      cluster: this.#header.cluster,
      from: this.#from ?? 0,
      to: this.#to,
      nodes: nodes.all,
      decisions,
      unlisted: results.dropped,
      policies: this.#settings.policies.map(({ name, mode }) => totalOf(name, mode, decisions)),
      unknown: this.#guesses.map(({ unanswered, guard }) => ({ ...unanswered, matches: guard.results.rows.length })),
      breakers,
      settings: nativeSettings(decisions, this.#settings),
    };
  }
}

/** Orders by earliest abort time. Fields that are the same in each replay break ties. */
function byTime(one: ReplayedDecision, other: ReplayedDecision): number {
  return one.due - other.due || (sortText(one) < sortText(other) ? -1 : 1);
}

function sortText({ node, id, policy }: ReplayedDecision): string {
  return JSON.stringify([node, id, policy]);
}

function totalOf(policy: string, mode: Mode, decisions: readonly ReplayedDecision[]): PolicyTotal {
  const own = decisions.filter((one) => one.policy === policy);
  const count = (result: ReplayResult): number => own.filter((one) => one.result === result).length;
  const results = {
    aborted: count('aborted'),
    would_abort: count('would_abort'),
    held: count('held'),
    over: count('over'),
    open: count('open'),
  };
  return { policy, mode, matches: own.length, results };
}

/** Setting of the server for one query that would have made the aborts of policies unnecessary. */
export interface NativeSetting {
  readonly graph: string;
  readonly query: string;
  /** Number of aborts that the setting would have avoided. */
  readonly aborts: number;
  readonly policies: readonly string[];
  /**
   * Value of the header `GSQL-TIMEOUT` in milliseconds: the lowest age of the queries at their earliest abort times.
   */
  readonly timeout: Millis;
  /** Maximum number of concurrent runs by the group condition of a policy; absent without one. */
  readonly atOnce?: number;
  /** Value of `RESTPP.WorkLoadManager.MaxDelayQueueSize`; absent if no policy has a gate on the queue depth. */
  readonly queueLimit?: number;
}

const second: Millis = 1000;

/** Returns one setting for each query, those with most aborts first. */
export function nativeSettings(
  decisions: readonly ReplayedDecision[],
  { policies }: Pick<GuardSettings, 'policies'>,
): readonly NativeSetting[] {
  const acted = decisions.filter(({ result }) => result === 'aborted' || result === 'would_abort');
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
  const atOnce = minimum(own.flatMap(maxConcurrent));
  const queueLimit = minimum(own.flatMap(maxQueueLength));
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

/** Returns the highest number of queries that does not meet the policy's bound on the count. */
function maxConcurrent({ group }: Policy): readonly number[] {
  const count = group?.count;
  return count === undefined ? [] : [highestBelow(count)];
}

function maxQueueLength({ gate }: Policy): readonly number[] {
  return (gate?.clauses ?? []).filter(({ source }) => source === 'queue_depth').map(({ bound }) => highestBelow(bound));
}

function highestBelow({ operator, value }: { readonly operator: string; readonly value: number }): number {
  return Math.max(1, operator === '>=' ? value - 1 : value);
}

function minimum(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.min(...values);
}

function nameOf({ graph, query }: Pick<NativeSetting, 'graph' | 'query'>): string {
  return `${graph}/${query}`;
}
