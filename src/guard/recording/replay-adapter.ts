import { type Conditions, givenConditions } from '../conditions/all.ts';
import { formatPattern, type Pattern } from '../pattern.ts';
import { effectiveMode, type GuardSettings, type Policy, policiesForCluster } from '../policy.ts';
import type { RecordedEntry, RecordedList, RecordingHeader } from './format.ts';
import { paramConditionKey, toParamConditions } from './param-conditions.ts';

/** Value of the parameter that represents a clause, if the clause is true. */
export const trueValue = 'true';

/** Returns the name of the parameter that represents the clause at an index of the header. */
export function conditionParam(index: number): string {
  return `c${index}`;
}

/**
 * Returns a recorded list as the response of a node. Its urls have the results of the parameter conditions in place of
 * the parameters, so that the guard evaluates a recording with the same code.
 */
export function recordedListBody(list: RecordedList): unknown {
  if ('entries' in list) return { error: false, results: list.entries.map(entryBody) };
  return list.rejected === 'error' ? { error: true } : {};
}

function entryBody(entry: RecordedEntry): unknown {
  if ('skipped' in entry) return { requestid: entry.id };
  const { id: requestid, start: startTime, end: expirationTime, elapsed: elapsedTime, method } = entry;
  return { requestid, startTime, expirationTime, url: urlOf(entry), elapsedTime, method };
}

function urlOf({ query, params: results = '', changed }: Exclude<RecordedEntry, { skipped: true }>): string {
  const path = query === 'interpreted' ? '/interpreted_query' : query === 'builtin' ? '/builtin' : query;
  const params = results
    .split('')
    .flatMap((result, index) =>
      result === '?' ? [] : [`${conditionParam(index)}=${result === '1' ? trueValue : 'false'}`],
    );
  const all = [...params, ...(changed === undefined ? [] : [`changed=${changed}`])];
  return all.length === 0 ? path : `${path}?${all.join('&')}`;
}

/** Policy that cannot be replayed, with the configuration keys of the conditions that the recording does not contain. */
export interface UnreplayablePolicy {
  readonly policy: string;
  readonly lacks: readonly string[];
}

/** Guard settings for a recording, and the policies that cannot be replayed from it. */
export interface ReplayableGuard {
  /** Settings with only the policies that can be replayed completely. */
  readonly settings: GuardSettings;
  /** For each other policy, settings that only observe, without the conditions that the recording does not contain. */
  readonly guesses: readonly { readonly unanswered: UnreplayablePolicy; readonly settings: GuardSettings }[];
}

const never = Number.POSITIVE_INFINITY;
const trueValuePattern: Pattern = { kind: 'glob', text: trueValue };

/**
 * Adapts guard settings to a recording. Conditions on parameters use the recorded results. Relief is not evaluated,
 * because the recorded pressure does not reflect the replayed aborts.
 */
export function fitToRecording(
  guard: GuardSettings,
  header: RecordingHeader,
  { enforceAll = false }: { readonly enforceAll?: boolean } = {},
): ReplayableGuard {
  const indexes = new Map(header.clauses.map((clause, index) => [paramConditionKey(clause), index]));
  const concerned = policiesForCluster(guard, header.cluster);
  const fitted = concerned.map((policy) => {
    const mode = enforceAll ? 'enforce' : effectiveMode(guard, policy);
    const lacks = [...missingConditions(policy, header, indexes), ...missingProtection(guard, indexes)];
    return { policy: fitPolicy({ ...policy, mode }, header, indexes), lacks };
  });
  const settings: GuardSettings = {
    ...guard,
    protect: guard.protect.flatMap((one) =>
      missingParams(one, indexes).length === 0 ? [fitConditions(one, indexes)] : [],
    ),
    mode: 'enforce',
    breakers: { ...guard.breakers, noRelief: { aborts: never } },
    policies: fitted.filter(({ lacks }) => lacks.length === 0).map(({ policy }) => policy),
  };
  const guesses = fitted.filter(({ lacks }) => lacks.length > 0);
  return {
    settings,
    guesses: guesses.map(({ policy, lacks }) => ({
      unanswered: { policy: policy.name, lacks },
      settings: { ...settings, mode: 'observe', policies: [policy] },
    })),
  };
}

type ConditionIndexes = ReadonlyMap<string, number>;

/** Returns the parameters whose conditions in a section are missing in the recording. */
function missingParams({ params = {} }: Conditions, indexes: ConditionIndexes): readonly string[] {
  return Object.entries(params).flatMap(([param, patterns]) =>
    toParamConditions({ [param]: patterns }).some((clause) => indexes.has(paramConditionKey(clause)))
      ? []
      : [`params.${param} like ${patterns.map(formatPattern).join(' or ')}`],
  );
}

function missingProtection({ protect }: GuardSettings, indexes: ConditionIndexes): readonly string[] {
  return protect.flatMap((one) => missingParams(one, indexes)).map((lack) => `protect.${lack}`);
}

function unrecordedConditions(conditions: Conditions): readonly string[] {
  return [...givenConditions(conditions)].flatMap(({ condition: { name, recorded } }) =>
    recorded === 'nothing' ? [name] : [],
  );
}

function missingConditions(
  { when, unless = {}, gate }: Policy,
  { gates }: RecordingHeader,
  indexes: ConditionIndexes,
): readonly string[] {
  const lacksOf = (conditions: Conditions) => [
    ...missingParams(conditions, indexes),
    ...unrecordedConditions(conditions),
  ];
  const sources = new Set((gate?.clauses ?? []).map(({ source }) => source));
  return [
    ...lacksOf(when).map((lack) => `when.${lack}`),
    ...lacksOf(unless).map((lack) => `unless.${lack}`),
    ...[...sources].filter((source) => !gates.includes(source)).map((source) => `gate.${source}`),
  ];
}

/** Returns the policy without the conditions that the recording does not contain. */
function fitPolicy({ gate, unless, ...policy }: Policy, { gates }: RecordingHeader, indexes: ConditionIndexes): Policy {
  const isWhole = gate?.clauses.every(({ source }) => gates.includes(source)) === true;
  // The count of queries is an upper bound: an exception with missing conditions exempts nothing.
  const isKnown =
    unless !== undefined && missingParams(unless, indexes).length === 0 && unrecordedConditions(unless).length === 0;
  return {
    ...policy,
    when: fitConditions(policy.when, indexes),
    ...(isKnown ? { unless: fitConditions(unless, indexes) } : {}),
    ...(isWhole ? { gate } : {}),
  };
}

/** Returns conditions on the parameters that represent the recorded results. */
function fitConditions(conditions: Conditions, indexes: ConditionIndexes): Conditions {
  const rest: Conditions = recordedProperties(conditions);
  const known = toParamConditions(conditions.params).flatMap((clause) => indexes.get(paramConditionKey(clause)) ?? []);
  if (known.length === 0) return rest;
  return { ...rest, params: Object.fromEntries(known.map((index) => [conditionParam(index), [trueValuePattern]])) };
}

/** Returns the conditions whose properties a recording holds. */
function recordedProperties(when: Conditions): Conditions;
function recordedProperties(when: Conditions): object {
  const recorded = [...givenConditions(when)].filter(({ condition }) => condition.recorded === 'property');
  return Object.fromEntries(recorded.map(({ key, value }) => [key, value]));
}
