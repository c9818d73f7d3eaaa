import { formatDuration } from '../kernel/duration.ts';
import { effectiveMode } from './mode.ts';
import { conditionPhrases, groupPhrase, listed, pressurePhrase, wherePhrases, windowPhrase } from './phrases.ts';
import type { Conditions, Gate, GuardSettings, Mode, Policy } from './policy.ts';
import { reachOf } from './reach.ts';

/** What there is besides the guard itself. */
export interface Surroundings {
  /** Names of all clusters that are configured. */
  readonly clusters: readonly string[];
  /** Only one node is watched, so that nothing can be counted over a cluster. */
  readonly isOneNode: boolean;
}

interface Context extends Surroundings {
  readonly guard: GuardSettings;
}

/** Says in plain sentences what the guard and each policy do: paragraphs of lines. */
export function explainGuard(guard: GuardSettings, around: Surroundings): readonly (readonly string[])[] {
  const context = { guard, ...around };
  return [
    [modeSentence(guard), ...protectSentences(guard), ...limitSentences(context)],
    ...(guard.policies.length === 0 ? [['There are no policies: nothing is matched, and nothing aborted.']] : []),
    ...guard.policies.map((policy) => explainPolicy(policy, context)),
  ];
}

function modeSentence({ mode }: GuardSettings): string {
  return mode === 'enforce'
    ? 'The guard enforces: a policy aborts what it matches if the policy says enforce as well.'
    : 'The guard observes: no query is ever aborted, whatever the policies say.';
}

function protectSentences({ protect }: GuardSettings): readonly string[] {
  const what = protect.map((one) => `queries that ${listed(wherePhrases(one), 'and')}`);
  return bulleted('Whatever the policies say, in no cluster is aborted what is one of', [
    ...what,
    'anything but an installed query: interpreted queries, built-in calls, queries that still wait',
    'a query of which the lists leave any doubt',
  ]);
}

function limitSentences({ guard: { budgets, breakers }, isOneNode }: Context): readonly string[] {
  const { perNode, perCluster } = budgets;
  const { sameQuery, noRelief } = breakers;
  const inCluster = isOneNode ? '' : `, and ${perCluster.max} in a cluster in any ${formatDuration(perCluster.within)}`;
  return [
    `All policies together try at most ${counted(perNode.max)} on a node in any ${formatDuration(perNode.within)}${inCluster}.`,
    `After ${counted(sameQuery.aborts)} of one query within ${formatDuration(sameQuery.within)} it is left alone, and after ` +
      `${counted(noRelief.aborts)} in a row that relieved no pressure a policy with a gate rests: until an operator resets it.`,
  ];
}

function counted(aborts: number): string {
  return `${aborts} ${aborts === 1 ? 'abort' : 'aborts'}`;
}

function explainPolicy(policy: Policy, context: Context): readonly string[] {
  const mode = effectiveMode(context.guard, policy);
  const verb = mode === 'enforce' ? 'aborts' : 'would abort';
  const where = placePhrase(policy.clusters ?? context.clusters);
  return [
    `${policy.name}: ${modePhrase(policy, context.guard)}`,
    ...[
      ...bulleted(`It ${verb} installed queries of ${where} that`, conditionPhrases(policy.when)),
      ...bulleted('and only', circumstances(policy)),
      ...reachSentences(policy),
      victimSentence(policy),
      ...ownerSentences(policy, mode, context),
      ...notifySentences(policy, mode),
    ].map((line) => `  ${line}`),
  ];
}

function modePhrase({ mode }: Policy, guard: GuardSettings): string {
  if (effectiveMode(guard, { mode }) === 'enforce') return 'enforces.';
  const reasons = [...(guard.mode === 'observe' ? ['the guard'] : []), ...(mode === 'observe' ? ['the policy'] : [])];
  const reason = `${listed(reasons, 'and')} ${reasons.length === 1 ? 'says' : 'say'} observe`;
  return `observes, since ${reason}: it tells what it would abort, and makes no call.`;
}

function placePhrase(clusters: readonly string[]): string {
  return `the ${clusters.length === 1 ? 'cluster' : 'clusters'} ${listed(clusters, 'and')}`;
}

function circumstances({ gate, active, group }: Policy): readonly string[] {
  return [
    ...(gate === undefined ? [] : [gatePhrase(gate)]),
    ...(active === undefined ? [] : [windowPhrase(active)]),
    ...(group === undefined ? [] : [`where ${groupPhrase(group)}`]),
  ];
}

function gatePhrase({ needs, clauses }: Gate): string {
  return `while ${clauses.map(pressurePhrase).join(needs === 'any' ? '; or ' : '; and ')}`;
}

function reachSentences(policy: Policy): readonly string[] {
  const { confirm, grace } = policy;
  const reach = reachOf(policy);
  if (reach === undefined)
    return ['It can never abort anything: no query can meet all of this until the grace time is over.'];
  const { earliest, latest, leastTimeout } = reach;
  const [soonest, shortest] = [formatDuration(earliest), formatDuration(leastTimeout)];
  return [
    `At the earliest it does so when a query has run for ${soonest}: it has been listed ${confirm.sightings} times, ` +
      `${formatDuration(confirm.apart)} apart, and has met all of this for ${formatDuration(grace)}.`,
    ...(leastTimeout > 0 ? [`Never a query that was granted less than ${shortest}.`] : []),
    ...(leastTimeout < earliest
      ? [`A query that was granted less than ${soonest} has to overrun its timeout to get there.`]
      : []),
    ...(latest < Number.POSITIVE_INFINITY
      ? [`Never a query that has run for more than ${formatDuration(latest)}.`]
      : []),
    ...blindSpots(policy.when),
  ];
}

/** What is not told of a query does not match. */
function blindSpots({ grantedTimeout, remaining, ageShare, method, params }: Conditions): readonly string[] {
  const needsTimeout = [grantedTimeout, remaining, ageShare].some((bound) => bound !== undefined);
  return [
    ...(needsTimeout ? ['Never a query whose timeout the server does not list.'] : []),
    ...(method === undefined ? [] : ['Never a query whose method the server does not list, as most do not.']),
    ...(params === undefined ? [] : ['Never a query whose parameters came in a body: those are not listed.']),
  ];
}

function victimSentence({ victims: { pick, max }, group, cooldown }: Policy): string {
  const share = group === undefined ? 'on a node' : 'of a group';
  const rest =
    cooldown === 0 ? 'It does not rest in between.' : `Then it rests on that node for ${formatDuration(cooldown)}.`;
  return `Of several it takes the ${pick} first, at most ${max} ${share} at a time. ${rest}`;
}

/** What another policy has the better right to. */
function ownerSentences(policy: Policy, mode: Mode, { guard, clusters }: Context): readonly string[] {
  const at = guard.policies.indexOf(policy);
  const own = policy.clusters ?? clusters;
  const owners = guard.policies.filter((other, place) => {
    const theirs = effectiveMode(guard, other);
    const comesFirst = theirs === mode ? place < at : theirs === 'enforce';
    return comesFirst && (other.clusters ?? clusters).some((name) => own.includes(name));
  });
  if (owners.length === 0) return [];
  const names = owners.map(({ name }) => name);
  return [`What ${listed(names, 'or')} matches as well is not its own: that comes first.`];
}

function notifySentences({ notify }: Policy, mode: Mode): readonly string[] {
  if (notify.length === 0) return [];
  const names = listed(notify, 'and');
  if (mode === 'observe') return [`${names} would be told beforehand.`];
  return [`${names} ${notify.length === 1 ? 'is' : 'are'} told beforehand.`];
}

function bulleted(head: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [head, ...items.map((item) => `  - ${item}`)];
}
