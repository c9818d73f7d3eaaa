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
  trial: RecordedRun,
  policy: Policy,
  { query, at }: { readonly query: Query; readonly at: Millis },
): PolicyMatch {
  if (isProtectedQuery(settingsAt(trial, at), query)) return { because: 'it is spared' };
  if (!matchesStaticConditions(policy.when, query)) return { because: 'it is of another kind' };
  const slack = ageSlack(trial, query, at);
  const { from, to } = conditionSpan(policy.when, query, slack);
  if (at < from || at > to) return { because: `its age is ${at - query.beganAt} ms` };
  const observations = observationsOf(trial, query, stateKnownSince(trial, at), at);
  const since = settingsKnownSince(trial, at);
  const current = observations.filter(({ receivedAt = since }) => receivedAt >= since);
  const confirmed = confirmedAt(current, policy.confirm);
  if (confirmed === undefined) return { because: 'it was not seen often enough' };
  const open = policy.gate === undefined ? 0 : gateOpenSince(trial, policy.gate, { node: query.node, at });
  if (open === undefined) return { because: 'the gate is closed' };
  const hours = policy.active === undefined ? always : activeSpan(policy.active, wallClockAt(trial, at), at);
  if (hours === undefined || hours.from > at) return { because: 'it is out of hours' };
  const company = groupMetSince(trial, policy, { query, at, slack });
  if (company === undefined) return { because: 'it is alone' };
  return { due: Math.max(from, confirmed, open, company, hours.from) + policy.grace };
}

/** Returns the maximum error of the age of a query. */
function ageSlack({ plan, log }: RecordedRun, query: Query, at: Millis): Millis {
  const drift = Math.abs(plan.nodes.find(({ name }) => name === query.node)?.drift ?? 0);
  const isLiedTo = log.queries.some((one) => one.node === query.node && one.lie !== 0);
  return minSlack + (at - query.beganAt) * drift + (isLiedTo ? tolerance : 0);
}

/** Returns since when the group condition is met, in steps of 100 ms, which is more exact than lists are. */
function groupMetSince(
  trial: RecordedRun,
  policy: Policy,
  { query, at, slack }: { readonly query: Query; readonly at: Millis; readonly slack: Millis },
): Millis | undefined {
  const { group } = policy;
  if (group === undefined) return 0;
  const memory = maxListMemory(trial);
  const isSo = (when: Millis) => meetsGroupCondition(trial, { policy, group, query }, { at: when, memory, slack });
  if (!isSo(at)) return undefined;
  let since = at;
  while (since > at - policy.grace && isSo(since - 100)) since -= 100;
  return since;
}

/** Time for which a list counts in groups: three times the poll interval, which is longer when lists are slow. */
function maxListMemory({ plan, log }: RecordedRun): Millis {
  const longest = Math.max(0, ...log.lists.map(({ startedAt, receivedAt = startedAt }) => receivedAt - startedAt));
  return 3 * 1.5 * Math.max(plan.interval, 20 * longest);
}
