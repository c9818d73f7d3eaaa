import type { QueryExplanationReport } from '../../api/guard-why.ts';
import { ageAt } from '../../guard/candidate.ts';
import type { ConditionResult } from '../../guard/conditions.ts';
import type { PolicyExplanation } from '../../guard/decision/explain-query.ts';
import { type Instant, type Millis, toSeconds } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import type { ClusterGuard } from './cluster-guard.ts';
import type { ExplainedQuery, LiveExplanation } from './guard-control.ts';
import { forecastOf } from './policy-forecast.ts';

type PolicyReport = QueryExplanationReport['policies'][number];

/** Returns what the guard of a cluster does with one query; undefined if the cluster does not have the node. */
export function explanationReport(
  guard: Pick<ClusterGuard, 'state' | 'guard' | 'readiness' | 'settings'> | undefined,
  target: ExplainedQuery,
  now: Instant,
): LiveExplanation | undefined {
  if (guard?.settings.nodes.includes(target.node) !== true) return undefined;
  const { candidate, listing, listedAt, protections, policies } = guard.guard.explain(target, guard.state, now);
  const { graph = '', query = '', kind = '' } = candidate?.observation ?? {};
  const grantedTimeout = candidate?.grantedTimeout?.most;
  const readiness = guard.readiness(now).filter(({ node }) => node === target.node);
  return {
    ...target,
    asOf: formatTimestamp(now.wall),
    listing,
    listedAt: timeOrNull(listedAt, now),
    graph,
    query,
    kind,
    ageSeconds: candidate === undefined ? null : toSeconds(ageAt(candidate, now.mono).least),
    grantedTimeoutSeconds: grantedTimeout === undefined ? null : toSeconds(grantedTimeout),
    protections: protections.map((one) => one.map((result) => conditionReport('protect', result))),
    policies: policies.map((one) => {
      const { since } = readiness.find(({ policy }) => policy === one.policy.name) ?? {};
      return policyReport(one, { state: guard.state, now, notReadySince: since });
    }),
  };
}

interface ReportContext {
  readonly state: ClusterGuard['state'];
  readonly now: Instant;
  /** ms since the epoch; undefined while the policy is ready. */
  readonly notReadySince: number | undefined;
}

function policyReport(explained: PolicyExplanation, { state, now, notReadySince }: ReportContext): PolicyReport {
  const { policy, mode, match, conditions, observations, decision, hold, notReady } = explained;
  const matchesAt =
    decision?.matchedAt ?? (match && forecastOf(match, state.views.get(match.candidate.node), now)?.matchesAt);
  const due = decision?.due ?? (matchesAt === undefined ? undefined : matchesAt + policy.grace);
  const isReadiness = hold !== undefined && notReady.some((reason) => reason === hold.reason);
  const delayedSince = due !== undefined && due <= now.mono ? formatTimestamp(toWall(due, now)) : null;
  const readySince = isReadiness && notReadySince !== undefined ? formatTimestamp(notReadySince) : undefined;
  return {
    policy: policy.name,
    mode,
    matches: match?.holds === true,
    owned: match?.owns === true,
    conditions: conditions.map((one) => conditionReport(one.section, one)),
    observations,
    observationsNeeded: policy.confirm.observations,
    matchesAt: timeOrNull(matchesAt, now),
    earliestAbortAt: timeOrNull(due, now),
    phase: decision?.phase ?? null,
    held: hold?.reason ?? null,
    heldSince: hold === undefined ? null : (readySince ?? delayedSince),
    heldUntil: timeOrNull(hold?.until, now),
    notReady,
  };
}

function conditionReport(
  section: PolicyReport['conditions'][number]['section'],
  { name, wanted, seen, holds }: ConditionResult,
): PolicyReport['conditions'][number] {
  return { section, name, wanted, seen: seen ?? null, holds: holds ?? null };
}

function timeOrNull(mono: Millis | undefined, now: Instant): string | null {
  return mono === undefined ? null : formatTimestamp(toWall(mono, now));
}

function toWall(mono: Millis, now: Instant): number {
  return now.wall + mono - now.mono;
}
