import type { Budget } from '../../../src/guard/policy.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import type { Finding } from '../findings.ts';
import type { AbortLog, IntentLog, ListLog } from '../simulation/log.ts';
import { processStartAt, type RecordedRun, settingsAt } from './recorded-run.ts';

/** Returns violations of cooldowns, budgets and circuit breakers. */
export function limitViolations(run: RecordedRun): readonly Finding[] {
  // After a crash, only the wall clock dates earlier aborts. If the clock was set, their times are unknown.
  if (run.log.steps.length > 0 && run.log.downtimes.length > 0) return [];
  const returned = new Set(run.log.outcomes.filter(({ outcome }) => outcome === 'not_sent').map(({ key }) => key));
  const spent = run.log.intents.filter(({ key, onDiskAt }) => onDiskAt !== undefined && !returned.has(key));
  const byNode = [...Map.groupBy(spent, ({ node }) => node).values()];
  return [
    ...byNode.flatMap((intents) =>
      budgetViolations(intents, (at) => settingsAt(run, at).budgets.perNode, 'node budget'),
    ),
    ...budgetViolations(spent, (at) => settingsAt(run, at).budgets.perCluster, 'cluster budget'),
    ...cooldownViolations(run, spent),
    ...sameQueryViolations(run),
    ...noReliefViolations(run),
  ];
}

function budgetViolations(
  intents: readonly IntentLog[],
  budgetAt: (at: Millis) => Budget,
  kind: Finding['kind'],
): readonly Finding[] {
  return intents.flatMap(({ at, node }) => {
    const { max, within } = budgetAt(at);
    const count = intents.filter((one) => one.at <= at && one.at > at - within).length;
    return count > max ? [{ kind, about: `${count} of ${max} within ${within} ms on ${node} at ${at}` }] : [];
  });
}

function cooldownViolations(run: RecordedRun, intents: readonly IntentLog[]): readonly Finding[] {
  return intents.flatMap(({ policy, node, at, key }) => {
    const cooldown = settingsAt(run, at).policies.find(({ name }) => name === policy)?.cooldown ?? 0;
    const isSame = (one: IntentLog) => one.policy === policy && one.node === node && one.key !== key;
    const before = intents.filter((one) => isSame(one) && one.at <= at && at - one.at < cooldown);
    return before.map((one) => ({ kind: 'cooldown' as const, about: `${policy} on ${node} at ${one.at} and ${at}` }));
  });
}

/** Counts the sent aborts. An open circuit breaker stays open until an operator closes it. */
function sameQueryViolations(run: RecordedRun): readonly Finding[] {
  const { log } = run;
  const findings: Finding[] = [];
  for (const [name, sent] of Map.groupBy(inOrder(log.aborts), (one) => nameOf(one, log.intents))) {
    const resets = log.resets.filter(({ breaker }) => breaker === `same_query ${name}`);
    let counted: AbortLog[] = [];
    let openedAt: number | undefined;
    for (const abort of sent) {
      const { aborts, within } = settingsAt(run, abort.sentAt).breakers.sameQuery;
      const since = openedAt;
      if (since !== undefined && resets.some(({ at }) => at > since && at <= abort.sentAt)) {
        counted = [];
        openedAt = undefined;
      }
      if (openedAt !== undefined) findings.push({ kind: 'same query', about: `${name} at ${abort.sentAt}` });
      counted = [...counted.filter((one) => intentAt(one, log.intents) > abort.sentAt - within), abort];
      if (counted.length >= aborts) openedAt ??= abort.sentAt;
    }
  }
  return findings;
}

/** Checks that a policy stops if the pressure never falls. One more abort may be under way on each other node. */
function noReliefViolations({ plan, log }: RecordedRun): readonly Finding[] {
  const hasNoRelief = plan.pressures.every(({ relief, values }) => relief === 0 && new Set(values).size === 1);
  if (!hasNoRelief || log.downtimes.length + log.reloads.length > 0) return [];
  const most = plan.settings.breakers.noRelief.aborts + plan.nodes.length - 1;
  return plan.settings.policies.flatMap(({ name, gate }) => {
    if (gate === undefined) return [];
    const count = log.aborts.filter(
      ({ policy, queryNumber, answer }) => policy === name && queryNumber !== undefined && isNamed(answer),
    ).length;
    return count > most ? [{ kind: 'no relief' as const, about: `${count} aborts of ${name}` }] : [];
  });
}

function isNamed(answer: AbortLog['answer']): boolean {
  return answer.kind === 'accepted' && answer.aborted.length > 0;
}

function inOrder(aborts: readonly AbortLog[]): readonly AbortLog[] {
  return aborts.toSorted((one, other) => one.sentAt - other.sentAt);
}

function nameOf({ order }: AbortLog, intents: readonly IntentLog[]): string {
  return `${order.graph} ${intents.find(({ key }) => key === order.key)?.query ?? ''}`;
}

function intentAt({ order, sentAt }: AbortLog, intents: readonly IntentLog[]): number {
  return intents.find(({ key }) => key === order.key)?.at ?? sentAt;
}

const maxExtra = 2;
const maxReserve = 12;
const minute = 60_000;

/** Returns nodes that got more list requests than the rate limit allows. */
export function listRateViolations(run: RecordedRun): readonly Finding[] {
  const { interval } = run.plan;
  return [...Map.groupBy(run.log.lists, ({ node }) => node)].flatMap(([node, unordered]) => {
    const lists = unordered.toSorted((one, other) => one.startedAt - other.startedAt);
    const listsByProcess = [...Map.groupBy(lists, ({ startedAt }) => processStartAt(run, startedAt)).values()];
    const isTooMany = listsByProcess.some(
      (ownLists) =>
        exceedsBucket(ownLists.filter(isExtra), { most: maxExtra, perMs: 0.1 / interval }) ||
        exceedsBucket(ownLists.filter(isReserve), { most: maxReserve, perMs: maxReserve / minute }) ||
        ownLists.some((one, index) => isTooEarly(one, ownLists[index - 1], interval)),
    );
    const gaps = listsByProcess
      .flatMap((ownLists) => ownLists.flatMap((one, index) => longGap(one, ownLists[index - 1], interval)))
      .filter((gap) => hadPolicies(run, gap))
      .map(({ from, to }) => `${to - from} ms to ${to}`);
    return [
      ...(isTooMany ? [{ kind: 'lists' as const, about: `too many of ${node}` }] : []),
      ...gaps.map((about) => ({ kind: 'slow lists' as const, about: `${node}: ${about}` })),
    ];
  });
}

/** Lists of a slow server are 30 s apart at most, however long they take. */
function longGap({ startedAt }: ListLog, before: ListLog | undefined, interval: Millis): readonly ListGap[] {
  if (before === undefined) return [];
  const most = Math.max(30_000, interval * 1.5, (before.receivedAt ?? startedAt) - before.startedAt);
  return startedAt - before.startedAt > most + 1100 ? [{ from: before.startedAt, to: startedAt }] : [];
}

interface ListGap {
  readonly from: Millis;
  readonly to: Millis;
}

/** Returns whether the guard had policies all the time. Without policies it requests no lists: the collector polls them. */
function hadPolicies({ plan, log }: RecordedRun, { from, to }: ListGap): boolean {
  const settings = [{ at: 0, settings: plan.settings }, ...log.reloads];
  return settings.every(({ at, settings: { policies } }, index) => {
    const end = settings[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    return policies.length > 0 || end < from || at > to;
  });
}

function isExtra({ purpose }: ListLog): boolean {
  return purpose === 'extra';
}

function isReserve({ purpose }: ListLog): boolean {
  return purpose === 'fresh' || purpose === 'verify';
}

/** Returns true if a period has more requests than a token bucket allows. */
function exceedsBucket(
  lists: readonly ListLog[],
  { most, perMs }: { readonly most: number; readonly perMs: number },
): boolean {
  return lists.some((last, index) =>
    lists.slice(0, index + 1).some((first, from) => {
      const length = last.startedAt - first.startedAt;
      return index - from + 1 > most + length * perMs + 1e-6;
    }),
  );
}

function isTooEarly({ purpose, startedAt }: ListLog, before: ListLog | undefined, interval: number): boolean {
  if (before === undefined) return false;
  return startedAt < (before.receivedAt ?? 0) || (purpose === 'regular' && startedAt - before.startedAt < interval / 2);
}
