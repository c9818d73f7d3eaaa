import type { Policy } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { Query } from '../world/log.ts';
import { always, isOfThese, isSpared, spanOf } from './clauses.ts';
import { hasCompany } from './company.ts';
import { openSpan, wallAt } from './hours.ts';
import { openSince } from './pressure.ts';
import { confirmedBy, sightingsOf } from './sightings.ts';
import { knownFrom, meantFrom, settingsAt, type Trial } from './trial.ts';

/** What can be told too much of an age before an entry is left out: by a server that says too much, and by clocks. */
const tolerance: Millis = 5000;
const least: Millis = 5;

/** When a policy meant a query, and allowed its abort; or why it did not. */
export type Meaning = { readonly due: Millis } | { readonly because: string };

/** Whether a policy means a query at an instant, and since when it may be aborted, in favour of the guard. */
export function meaningOf(
  trial: Trial,
  policy: Policy,
  { query, at }: { readonly query: Query; readonly at: Millis },
): Meaning {
  if (isSpared(settingsAt(trial, at), query)) return { because: 'it is spared' };
  if (!isOfThese(policy.when, query)) return { because: 'it is of another kind' };
  const slack = slackFor(trial, query, at);
  const { from, to } = spanOf(policy.when, query, slack);
  if (at < from || at > to) return { because: `its age is ${at - query.beganAt} ms` };
  const sightings = sightingsOf(trial, query, knownFrom(trial, at), at);
  const since = meantFrom(trial, at);
  const news = sightings.filter(({ receivedAt = since }) => receivedAt >= since);
  const confirmed = confirmedBy(news, policy.confirm);
  if (confirmed === undefined) return { because: 'it was not seen often enough' };
  const open = policy.gate === undefined ? 0 : openSince(trial, policy.gate, { node: query.node, at });
  if (open === undefined) return { because: 'the gate is closed' };
  const hours = policy.active === undefined ? always : openSpan(policy.active, wallAt(trial, at), at);
  if (hours === undefined || hours.from > at) return { because: 'it is out of hours' };
  const company = accompaniedSince(trial, policy, { query, at, slack });
  if (company === undefined) return { because: 'it is alone' };
  return { due: Math.max(from, confirmed, open, company, hours.from) + policy.grace };
}

/** By how much the age of a query can be taken wrong. */
function slackFor({ plan, log }: Trial, query: Query, at: Millis): Millis {
  const drift = Math.abs(plan.nodes.find(({ name }) => name === query.node)?.drift ?? 0);
  const isLiedTo = log.queries.some((one) => one.node === query.node && one.lie !== 0);
  return least + (at - query.beganAt) * drift + (isLiedTo ? tolerance : 0);
}

/** Goes back in small steps; nobody has to be more exact than lists are. */
function accompaniedSince(
  trial: Trial,
  policy: Policy,
  { query, at, slack }: { readonly query: Query; readonly at: Millis; readonly slack: Millis },
): Millis | undefined {
  const { group } = policy;
  if (group === undefined) return 0;
  const memory = longestMemory(trial);
  const isSo = (when: Millis) => hasCompany(trial, { policy, group, query }, { at: when, memory, slack });
  if (!isSo(at)) return undefined;
  let since = at;
  while (since > at - policy.grace && isSo(since - 100)) since -= 100;
  return since;
}

/** For so long a list is believed where another one matters: three times the beat, which slow lists slow down. */
function longestMemory({ plan, log }: Trial): Millis {
  const longest = Math.max(0, ...log.lists.map(({ startedAt, receivedAt = startedAt }) => receivedAt - startedAt));
  return 3 * 1.5 * Math.max(plan.interval, 20 * longest);
}
