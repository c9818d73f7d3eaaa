import { breakersField, budgetsField, protectField } from '../guard/guard-section.ts';
import type { BreakerSettings, Budget, BudgetSettings, GuardSettings, Policy } from '../guard/policy.ts';
import { policySection } from '../guard/policy-section.ts';
import { deepEqual } from '../kernel/deep-equal.ts';
import type { ConfigProblem } from '../model/config-problem.ts';
import type { Config, ConfigRejection } from './config.ts';
import type { Environment } from './environment.ts';
import { isMapping, type TopLevelReader, topLevelReader } from './tolerant-yaml.ts';

/** File that was rejected. */
export interface RejectedFile {
  /** Undefined if the file cannot be read. */
  readonly text: string | undefined;
  readonly problems: readonly ConfigProblem[];
  /** When the file was first rejected, ms since the epoch. */
  readonly since: number;
}

/**
 * Returns the configuration in force while a file is rejected: the accepted one, without the abort permissions that the
 * file does not repeat. A removal or restriction of the guard takes effect even if the file has other problems.
 */
export function restrictConfig(accepted: Config, file: RejectedFile, environment: Environment): Config {
  const { text, problems, since } = file;
  const read = topLevelReader(text ?? '', environment);
  const section = text === undefined ? undefined : guardSectionOf(read);
  const guard = section && restrictGuard(accepted.guard, section, problems);
  const rejection: ConfigRejection = { since, problems, isGuardUnreadable: guard === undefined };
  return {
    ...accepted,
    guard: restrictClusters(guard ?? accepted.guard, accepted.clusters, read),
    rejection,
  };
}

/** Returns `guard` with policies for the clusters that the file repeats, in mode observe if the clusters cannot be read. */
function restrictClusters(guard: GuardSettings, accepted: Config['clusters'], read: TopLevelReader): GuardSettings {
  const clusters = read('clusters');
  if (clusters === undefined) return { ...guard, mode: 'observe' };
  const entries: readonly unknown[] = Array.isArray(clusters.value) ? clusters.value : [];
  const names = accepted.map(({ name }) => name);
  const repeated = accepted
    .filter((cluster) => entries.some((entry) => repeatsCluster(entry, cluster)))
    .map(({ name }) => name);
  if (repeated.length === names.length) return guard;
  const restrict = ({ clusters: own = names, ...policy }: Policy): Policy => ({
    ...policy,
    clusters: own.filter((name) => repeated.includes(name)),
  });
  return { ...guard, policies: guard.policies.map(restrict) };
}

/** Whether an entry repeats a cluster with all of its nodes and its credentials for aborts. */
function repeatsCluster(entry: unknown, { name, nodes, abortAuth }: Config['clusters'][number]): boolean {
  if (!isMapping(entry) || entry.name !== name) return false;
  if (abortAuth.kind !== 'none' && (entry.abort_auth ?? undefined) === undefined) return false;
  const repeated: unknown = entry.nodes;
  if (!Array.isArray(repeated)) return true;
  return nodes.every((node) => repeated.some((one: unknown) => isMapping(one) && one.name === node.name));
}

type Section = Readonly<Record<string, unknown>>;

/** Returns the guard section of a file, empty if the file has none; undefined if the section cannot be read. */
function guardSectionOf(read: TopLevelReader): Section | undefined {
  const guard = read('guard');
  if (guard === undefined) return undefined;
  // A key without entries is a guard that was removed.
  const section = guard.value ?? {};
  return isMapping(section) ? section : undefined;
}

/**
 * Returns `accepted` with the policies that `section` repeats, with its additional protections, and with its limits if they
 * are lower. Other policies are removed or only observe, and all policies only observe if the rest cannot be read.
 * Undefined if the policies cannot be read.
 */
function restrictGuard(
  accepted: GuardSettings,
  { policies = [], protect, budgets, breakers, mode }: Section,
  problems: readonly ConfigProblem[],
): GuardSettings | undefined {
  if (!Array.isArray(policies)) return undefined;
  const wrong = new Set(problems.map(({ path }) => Number(/^guard\.policies\[(\d+)\]/.exec(path)?.[1] ?? Number.NaN)));
  // Problems that are only counted can be those of any policy.
  const isDescribed = problems.every(({ path, count }) => count === undefined || path !== 'guard');
  const entries = policies.map((entry: unknown, at) => ({ entry, hasProblem: !isDescribed || wrong.has(at) }));
  const added = protectField.safeParse(protect);
  const ownBudgets = budgetsField.safeParse(budgets);
  const ownBreakers = breakersField.safeParse(breakers);
  const isReadable = added.success && ownBudgets.success && ownBreakers.success;
  return {
    ...accepted,
    mode: mode === 'enforce' && isReadable ? accepted.mode : 'observe',
    budgets: lowerBudgets(accepted.budgets, ownBudgets.data ?? accepted.budgets),
    breakers: lowerBreakers(accepted.breakers, ownBreakers.data ?? accepted.breakers),
    protect: [...accepted.protect, ...(added.data ?? []).filter((one) => !accepted.protect.some(isEqualTo(one)))],
    policies: restrictPolicies(accepted.policies, entries),
  };
}

function lowerBudgets(one: BudgetSettings, other: BudgetSettings): BudgetSettings {
  return {
    perNode: lowerBudget(one.perNode, other.perNode),
    perCluster: lowerBudget(one.perCluster, other.perCluster),
  };
}

function lowerBudget(one: Budget, other: Budget): Budget {
  return { max: Math.min(one.max, other.max), within: Math.max(one.within, other.within) };
}

function lowerBreakers({ sameQuery, noRelief }: BreakerSettings, other: BreakerSettings): BreakerSettings {
  return {
    sameQuery: {
      aborts: Math.min(sameQuery.aborts, other.sameQuery.aborts),
      within: Math.max(sameQuery.within, other.sameQuery.within),
    },
    noRelief: { aborts: Math.min(noRelief.aborts, other.noRelief.aborts) },
  };
}

interface PolicyEntry {
  readonly entry: unknown;
  readonly hasProblem: boolean;
}

/**
 * Returns the policies with the changes of the file. An enforcing policy that is changed or removed keeps its precedence:
 * otherwise the enforcing policies after it would abort its queries, perhaps earlier and under other conditions.
 */
function restrictPolicies(policies: readonly Policy[], entries: readonly PolicyEntry[]): readonly Policy[] {
  const all = policies.map((policy) => ({ policy, change: policyChange(policy, entries) }));
  return all.flatMap(({ policy, change }, at): readonly Policy[] => {
    if (change === undefined) return [policy];
    const isLast = !all.slice(at + 1).some((one) => one.change === undefined && one.policy.mode === 'enforce');
    if (change === 'removed' && (isLast || policy.mode === 'observe')) return [];
    return [{ ...policy, mode: 'observe', ...(policy.mode === 'enforce' && { isRestricted: true }) }];
  });
}

/** Returns what a file changes in a policy; undefined if it repeats the policy. */
function policyChange(policy: Policy, entries: readonly PolicyEntry[]): 'removed' | 'changed' | undefined {
  const own = entries.filter(({ entry }) => isMapping(entry) && entry.name === policy.name);
  if (own.length === 0) return 'removed';
  const isUnchanged = own.every(({ entry, hasProblem }) => !hasProblem && isEqualTo(policy)(parsePolicy(entry)));
  return isUnchanged ? undefined : 'changed';
}

function parsePolicy(entry: unknown): Policy | undefined {
  return policySection.safeParse(entry).data;
}

function isEqualTo(one: unknown): (other: unknown) => boolean {
  return (other) => deepEqual(one, other);
}
