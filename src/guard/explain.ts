import { formatDuration } from '../kernel/duration.ts';
import { type Conditions, givenConditions } from './conditions/all.ts';
import { conditionPhrases, groupPhrase, pressurePhrase, windowPhrase } from './explain-phrases.ts';
import { joinWords } from './phrases.ts';
import type { Gate, GuardSettings, Mode, Policy } from './policy.ts';
import { effectiveMode, policyRank } from './policy.ts';
import { policyReach } from './policy-reach.ts';

/** Facts about the configuration outside of `guard`. */
export interface ExplainEnvironment {
  /** Names of all configured clusters. */
  readonly clusters: readonly string[];
  /** Whether only one node is configured; the budget of the cluster is then not mentioned. */
  readonly isOneNode: boolean;
}

interface ExplainContext extends ExplainEnvironment {
  readonly guard: GuardSettings;
}

/** Describes the guard and each policy in sentences: one paragraph of lines for each. */
export function explainGuard(guard: GuardSettings, around: ExplainEnvironment): readonly (readonly string[])[] {
  const context = { guard, ...around };
  return [
    [modeSentence(guard), ...protectSentences(guard), ...limitSentences(context)],
    ...(guard.policies.length === 0 ? [['There are no policies: the guard matches and aborts nothing.']] : []),
    ...guard.policies.map((policy) => explainPolicy(policy, context)),
  ];
}

function modeSentence({ mode }: GuardSettings): string {
  return mode === 'enforce'
    ? 'The guard enforces: a policy aborts the queries that it matches if its mode is enforce as well.'
    : 'The guard observes: it aborts no query, whatever the mode of a policy.';
}

function protectSentences({ protect }: GuardSettings): readonly string[] {
  const what = protect.map((one) => {
    const mayBeUnknown = [...givenConditions(one)].some(({ condition }) => condition.neverMatches !== undefined);
    return `queries that ${joinWords(conditionPhrases(one), 'and')}${mayBeUnknown ? ', or may do so' : ''}`;
  });
  return bulleted('No policy aborts, in any cluster,', [
    ...what,
    'queries that are not installed: interpreted queries, built-in calls, queued queries',
    'queries for which any guard condition is uncertain',
  ]);
}

function limitSentences({ guard: { budgets, breakers }, isOneNode }: ExplainContext): readonly string[] {
  const { perNode, perCluster } = budgets;
  const { sameQuery, noRelief } = breakers;
  const inCluster = isOneNode ? '' : `, and ${perCluster.max} in a cluster in any ${formatDuration(perCluster.within)}`;
  return [
    `All policies together send at most ${counted(perNode.max)} on a node in any ${formatDuration(perNode.within)}${inCluster}.`,
    `After ${counted(sameQuery.aborts)} of one query within ${formatDuration(sameQuery.within)} the guard stops aborting that query, and after ` +
      `${counted(noRelief.aborts)} in a row that do not reduce the pressure the guard stops a policy with a gate, until an operator resets the circuit breaker.`,
  ];
}

function counted(aborts: number): string {
  return `${aborts} ${aborts === 1 ? 'abort' : 'aborts'}`;
}

/** Describes a policy in lines: its name and mode, then sentences, some of which go on in indented lines. */
export function explainPolicy(policy: Policy, context: ExplainContext): readonly string[] {
  const mode = effectiveMode(context.guard, policy);
  const verb = mode === 'enforce' ? 'aborts' : 'would abort';
  const where = placePhrase(policy.clusters ?? context.clusters);
  return [
    `${policy.name}: ${modePhrase(policy, context.guard)}`,
    ...[
      ...bulleted(`It ${verb} installed queries of ${where} that`, conditionPhrases(policy.when)),
      ...bulleted('unless they', conditionAlternatives(policy)),
      ...bulleted('and only', circumstances(policy)),
      ...reachSentences(policy),
      victimSentence(policy),
      ...ownerSentences(policy, context),
      ...notifySentences(policy, mode),
    ].map((line) => `  ${line}`),
  ];
}

function modePhrase({ mode, isRestricted }: Policy, guard: GuardSettings): string {
  if (effectiveMode(guard, { mode }) === 'enforce') return 'enforces.';
  const reasons = [...(guard.mode === 'observe' ? ['the guard'] : []), ...(mode === 'observe' ? ['the policy'] : [])];
  const reason =
    isRestricted === true
      ? 'a rejected configuration file changes or removes it'
      : `${joinWords(reasons, 'and')} ${reasons.length === 1 ? 'says' : 'say'} observe`;
  return `observes, because ${reason}: it reports what it would abort, and sends no request.`;
}

function placePhrase(clusters: readonly string[]): string {
  return `the ${clusters.length === 1 ? 'cluster' : 'clusters'} ${joinWords(clusters, 'and')}`;
}

function conditionAlternatives({ unless }: Policy): readonly string[] {
  return unless === undefined ? [] : [`${joinWords(conditionPhrases(unless), 'and')}, or may do so`];
}

function circumstances({ gate, active, group }: Policy): readonly string[] {
  return [
    ...(gate === undefined ? [] : [gatePhrase(gate)]),
    ...(active === undefined ? [] : [windowPhrase(active)]),
    ...(group === undefined ? [] : [`if ${groupPhrase(group)}`]),
  ];
}

function gatePhrase({ needs, clauses }: Gate): string {
  return `while ${clauses.map(pressurePhrase).join(needs === 'any' ? '; or ' : '; and ')}`;
}

function reachSentences(policy: Policy): readonly string[] {
  const { confirm, grace } = policy;
  const reach = policyReach(policy);
  if (reach === undefined) return [];
  const { earliest, latest, minTimeout } = reach;
  const [soonest, shortest] = [formatDuration(earliest), formatDuration(minTimeout)];
  return [
    `The earliest abort is when a query has run for ${soonest}: the query has been observed ${confirm.observations} times, ` +
      `${formatDuration(confirm.apart)} apart, and has met all conditions for ${formatDuration(grace)}.`,
    ...(minTimeout > 0 ? [`Queries that were granted less than ${shortest} never match.`] : []),
    ...(minTimeout < earliest
      ? [`A query that was granted less than ${soonest} matches only if it exceeds its timeout.`]
      : []),
    ...(latest < Number.POSITIVE_INFINITY
      ? [`Queries that have run for more than ${formatDuration(latest)} never match.`]
      : []),
    ...uncheckedProperties(policy.when),
  ];
}

/** Sentences on queries that never match, because the server does not list a property; each sentence once. */
function uncheckedProperties(when: Conditions): readonly string[] {
  return [...new Set([...givenConditions(when)].flatMap(({ condition }) => condition.neverMatches ?? []))];
}

function victimSentence({ victims: { pick, keep, max }, group, cooldown }: Policy): string {
  const share = group === undefined ? 'on a node' : 'of a group';
  const rest =
    cooldown === 0 ? 'It has no cooldown.' : `Then its cooldown on that node is ${formatDuration(cooldown)}.`;
  const kept = keep === undefined ? '' : `, and never the oldest ${share}`;
  return `Of several matching queries, it aborts the ${pick} first, at most ${max} ${share} at a time${kept}. ${rest}`;
}

/** Returns the sentence on policies of higher precedence, which own the queries that they match. */
function ownerSentences(policy: Policy, { guard, clusters }: ExplainContext): readonly string[] {
  const at = guard.policies.indexOf(policy);
  const own = policy.clusters ?? clusters;
  const rank = policyRank(guard, policy);
  const owners = guard.policies.filter((other, index) => {
    const otherRank = policyRank(guard, other);
    const comesFirst = otherRank === rank ? index < at : otherRank < rank;
    return comesFirst && (other.clusters ?? clusters).some((name) => own.includes(name));
  });
  if (owners.length === 0) return [];
  const names = owners.map(({ name }) => name);
  return [`Queries that ${joinWords(names, 'or')} also matches belong to that policy.`];
}

function notifySentences({ notify }: Policy, mode: Mode): readonly string[] {
  if (notify.length === 0) return [];
  const names = joinWords(notify, 'and');
  if (mode === 'observe') return [`${names} would be notified before the abort.`];
  return [`${names} ${notify.length === 1 ? 'is' : 'are'} notified before the abort.`];
}

function bulleted(head: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [head, ...items.map((item) => `  - ${item}`)];
}
