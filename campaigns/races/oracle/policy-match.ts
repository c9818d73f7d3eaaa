import type { Policy } from '../../../src/guard/policy.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import type { Query } from '../simulation/log.ts';
import {
  activeSpan,
  always,
  conditionSpan,
  gateOpenSince,
  isProtectedQuery,
  matchesStaticConditions,
  meetsGroupCondition,
  wallClockAt,
} from './conditions.ts';
import { isOlderQueryLeft } from './kept-oldest.ts';
import {
  confirmedAt,
  observationsOf,
  type RecordedRun,
  settingsAt,
  settingsKnownSince,
  stateKnownSince,
} from './recorded-run.ts';

/** Maximum overstatement of an age, by the server or by clocks, at which the guard still accepts an entry. */
const tolerance: Millis = 5000;
const minSlack: Millis = 5;

/** Earliest abort time of a query by a policy, or the reason why the policy does not allow the abort. */
export type PolicyMatch = { readonly due: Millis } | { readonly because: string };

/** Returns whether a policy matches a query at an instant, and its earliest abort time, in favour of the guard. */
export function evaluatePolicyMatch(
  run: RecordedRun,
  policy: Policy,
  { query, at }: { readonly query: Query; readonly at: Millis },
): PolicyMatch {
  if (isProtectedQuery(settingsAt(run, at), query)) return { because: 'the query is protected' };
  if (!matchesStaticConditions(policy, query)) return { because: 'the static conditions do not match' };
  const slack = ageSlack(run, query, at);
  const { from, to } = conditionSpan(policy, query, slack);
  if (at < from || at > to) return { because: `the age is ${at - query.beganAt} ms` };
  const observations = observationsOf(run, query, stateKnownSince(run, at), at);
  const since = settingsKnownSince(run, at);
  const current = observations.filter(({ receivedAt = since }) => receivedAt >= since);
  const confirmed = confirmedAt(current, policy.confirm);
  if (confirmed === undefined) return { because: 'the query is not confirmed' };
  const open = policy.gate === undefined ? 0 : gateOpenSince(run, policy.gate, { node: query.node, at });
  if (open === undefined) return { because: 'the gate is closed' };
  const hours = policy.active === undefined ? always : activeSpan(policy.active, wallClockAt(run, at), at);
  if (hours === undefined || hours.from > at) return { because: 'the policy is outside its active hours' };
  const keeps = policy.victims.keep !== undefined;
  if (keeps && !isOlderQueryLeft(run, { policy, query }, { at, listMemory: maxListMemory(run), slack }))
    return { because: 'it is the oldest query, which the policy keeps' };
  const others = groupMetSince(run, policy, { query, at, slack });
  if (others === undefined) return { because: 'the group condition is not met' };
  return { due: Math.max(from, confirmed, open, others, hours.from) + policy.grace };
}

/** Returns the maximum error of the age of a query. */
function ageSlack(run: RecordedRun, query: Query, at: Millis): Millis {
  const { plan, log } = run;
  const drift = Math.abs(plan.nodes.find(({ name }) => name === query.node)?.drift ?? 0);
  const hasOverstatedAges = log.queries.some((one) => one.node === query.node && one.overstatedAge !== 0);
  const common = minSlack + (at - query.beganAt) * drift + (hasOverstatedAges ? tolerance : 0);
  return common + Math.max(0, undetectableStep(run, query, at));
}

/**
 * Returns by how much the clock of a node was set forward while a query ran, and before the first list that the guard could
 * compare with others. If the node computes ages by that clock, the query looks as if it had begun earlier.
 */
function undetectableStep(run: RecordedRun, { node, beganAt }: Query, at: Millis): Millis {
  const { plan, log } = run;
  if (plan.nodes.find(({ name }) => name === node)?.computesAgesByWallClock !== true) return 0;
  const since = stateKnownSince(run, at);
  const first = log.lists.find(({ machine, isGood, startedAt }) => machine === node && isGood && startedAt >= since);
  const until = first?.receivedAt ?? since;
  const steps = plan.events.flatMap((one) => (one.kind === 'node clock step' && one.node === node ? [one] : []));
  return steps.reduce((sum, step) => (beganAt <= step.at && step.at < until ? sum + step.by : sum), 0);
}

/** Returns since when the group condition is met at every arrival of a list: the guard evaluates groups at these times. */
function groupMetSince(
  run: RecordedRun,
  policy: Policy,
  { query, at, slack }: { readonly query: Query; readonly at: Millis; readonly slack: Millis },
): Millis | undefined {
  const { group } = policy;
  if (group === undefined) return 0;
  const listMemory = maxListMemory(run);
  const isMet = (when: Millis) => meetsGroupCondition(run, { policy, group, query }, { at: when, listMemory, slack });
  if (!isMet(at)) return undefined;
  const arrivals = run.log.lists.flatMap(({ receivedAt = at }) => (receivedAt < at ? [receivedAt] : []));
  let since = at;
  for (const arrival of arrivals.toSorted((one, other) => other - one)) {
    if (since <= at - policy.grace || !isMet(arrival)) break;
    since = arrival;
  }
  return since;
}

/** Time for which a list counts in groups: three times the poll interval, which is longer after lists of 15 s in total. */
function maxListMemory({ plan: { interval }, log }: RecordedRun): Millis {
  const nodes = [...Map.groupBy(log.lists, ({ node }) => node).values()];
  const isSlow = nodes.some((lists) => {
    const times = lists.map(({ startedAt, receivedAt = startedAt + interval }) => receivedAt - startedAt);
    return times.reduce((sum, time) => sum + time, 0) > 15_000;
  });
  return 3 * 1.5 * (isSlow ? 30_000 : interval);
}
