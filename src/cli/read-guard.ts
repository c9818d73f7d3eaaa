import type { AbortReport, BreakerReport, GuardReport } from '../app/guard-report.ts';
import { pauseReasons } from '../app/guard-schemas.ts';
import { abortOutcomes } from '../model/abort-outcomes.ts';
import { membersOf, textOf } from './members.ts';

/** What a terminal says of an abort: less than the daemon tells. */
export type AbortWords = Pick<AbortReport, 'cluster' | 'node' | 'id' | 'graph' | 'query' | 'outcome'>;

/** Reads what a daemon, perhaps of another version, answered; undefined where that is no abort. */
export function readAbort(answer: unknown): AbortWords | undefined {
  const members = membersOf(answer);
  const [cluster, node, id] = [textOf(members, 'cluster'), textOf(members, 'node'), textOf(members, 'id')];
  if (cluster === '' || node === '' || id === '' || !('outcome' in members)) return undefined;
  const outcome = abortOutcomes.find((one) => one === members.outcome) ?? null;
  if (outcome === null && members.outcome !== null) return undefined;
  return { cluster, node, id, graph: textOf(members, 'graph'), query: textOf(members, 'query'), outcome };
}

/** The same of how the guard stands. */
export function readGuard(answer: unknown): GuardReport | undefined {
  const { paused, reasons, mode, policies, breakers } = membersOf(answer);
  const lists = [reasons, policies, breakers].every((list) => Array.isArray(list));
  if (typeof paused !== 'boolean' || !lists) return undefined;
  return {
    paused,
    reasons: pauseReasons.filter((one) => listOf(reasons).includes(one)),
    mode: modeOf(mode),
    policies: listOf(policies).map((one) => {
      const members = membersOf(one);
      return { name: textOf(members, 'name'), mode: modeOf(members.mode) };
    }),
    breakers: listOf(breakers).map(breakerOf),
  };
}

function breakerOf(item: unknown): BreakerReport {
  const members = membersOf(item);
  const since = textOf(members, 'since');
  return {
    cluster: textOf(members, 'cluster'),
    key: textOf(members, 'key'),
    reason: members.reason === 'no_relief' ? 'no_relief' : 'same_query',
    graph: textOf(members, 'graph'),
    query: textOf(members, 'query'),
    policy: textOf(members, 'policy'),
    since: Number.isNaN(Date.parse(since)) ? '' : since,
  };
}

/** What says anything else than that it aborts does not. */
function modeOf(value: unknown): GuardReport['mode'] {
  return value === 'enforce' ? 'enforce' : 'observe';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
