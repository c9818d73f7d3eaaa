import { type Conditions, givenConditions } from '../conditions/all.ts';
import { formatPattern, type Pattern } from '../pattern.ts';
import { effectiveMode, type GuardSettings, type Policy } from '../policy.ts';
import { conditionResultsKey, type RecordedEntry, type RecordedList, type RecordingHeader } from './format.ts';
import { paramConditionKey, toParamConditions } from './param-conditions.ts';
import { policiesForCluster } from './recorder.ts';

/** What a parameter that stands for a clause is given where the clause is true. */
export const trueValue = 'true';

/** The parameter that stands for the clause at a place of the header. */
export function conditionParam(place: number): string {
  return `c${place}`;
}

/**
 * Returns a recorded list as the response of a node. Its urls have the results of the parameter conditions in place of
 * the parameters, so that the guard evaluates a recording with the same code.
 */
export function recordedListBody(list: RecordedList): unknown {
  if ('entries' in list) return { error: false, results: list.entries.map(entryBody) };
  return list.void === 'error' ? { error: true } : {};
}

function entryBody(entry: RecordedEntry): unknown {
  if ('odd' in entry) return { requestid: entry.id };
  const { id: requestid, start: startTime, end: expirationTime, elapsed: elapsedTime, method } = entry;
  return { requestid, startTime, expirationTime, url: urlOf(entry), elapsedTime, method };
}

function urlOf({ query, [conditionResultsKey]: results = '', changed }: Exclude<RecordedEntry, { odd: true }>): string {
  const path = query === 'interpreted' ? '/interpreted_query' : query === 'builtin' ? '/builtin' : query;
  const params = results
    .split('')
    .flatMap((result, place) =>
      result === '?' ? [] : [`${conditionParam(place)}=${result === '1' ? trueValue : 'false'}`],
    );
  const all = [...params, ...(changed === undefined ? [] : [`changed=${changed}`])];
  return all.length === 0 ? path : `${path}?${all.join('&')}`;
}

/** A policy that a recording cannot answer: what it lacks, in the words of the configuration. */
export interface UnreplayablePolicy {
  readonly policy: string;
  readonly lacks: readonly string[];
}

/** Guard settings for a recording, and the policies that the recording cannot answer. */
export interface ReplayableGuard {
  /** With the policies alone that the recording answers whole. */
  readonly settings: GuardSettings;
  /** For each of the others a guard of its own that only observes, without what the recording lacks. */
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
  const places = new Map(header.clauses.map((clause, place) => [paramConditionKey(clause), place]));
  const concerned = policiesForCluster(guard, header.cluster);
  const fitted = concerned.map((policy) => {
    const mode = enforceAll ? 'enforce' : effectiveMode(guard, policy);
    const lacks = [...missingConditions(policy, header, places), ...missingProtection(guard, places)];
    return { policy: fitPolicy({ ...policy, mode }, header, places), lacks };
  });
  const settings: GuardSettings = {
    ...guard,
    protect: guard.protect.flatMap((one) =>
      missingParams(one, places).length === 0 ? [fitConditions(one, places)] : [],
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

/** Parameters on which a recording does not have the conditions of a section. */
function missingParams({ params = {} }: Conditions, places: ConditionIndexes): readonly string[] {
  return Object.entries(params).flatMap(([param, patterns]) =>
    toParamConditions({ [param]: patterns }).some((clause) => places.has(paramConditionKey(clause)))
      ? []
      : [`params.${param} like ${patterns.map(formatPattern).join(' or ')}`],
  );
}

function missingProtection({ protect }: GuardSettings, places: ConditionIndexes): readonly string[] {
  return protect.flatMap((one) => missingParams(one, places)).map((lack) => `protect.${lack}`);
}

function unrecordedConditions(conditions: Conditions): readonly string[] {
  return [...givenConditions(conditions)].flatMap(({ condition: { name, recorded } }) =>
    recorded === 'nothing' ? [name] : [],
  );
}

function missingConditions(
  { when, unless = {}, gate }: Policy,
  { pressures }: RecordingHeader,
  places: ConditionIndexes,
): readonly string[] {
  const lacksOf = (conditions: Conditions) => [
    ...missingParams(conditions, places),
    ...unrecordedConditions(conditions),
  ];
  const sources = new Set((gate?.clauses ?? []).map(({ source }) => source));
  return [
    ...lacksOf(when).map((lack) => `when.${lack}`),
    ...lacksOf(unless).map((lack) => `unless.${lack}`),
    ...[...sources].filter((source) => !pressures.includes(source)).map((source) => `gate.${source}`),
  ];
}

/** The policy as far as the recording can answer it. */
function fitPolicy(
  { gate, unless, ...policy }: Policy,
  { pressures }: RecordingHeader,
  places: ConditionIndexes,
): Policy {
  const isWhole = gate?.clauses.every(({ source }) => pressures.includes(source)) === true;
  // A guess counts what the policy may match at most: an exception that is known in part only exempts nothing.
  const isKnown =
    unless !== undefined && missingParams(unless, places).length === 0 && unrecordedConditions(unless).length === 0;
  return {
    ...policy,
    when: fitConditions(policy.when, places),
    ...(isKnown ? { unless: fitConditions(unless, places) } : {}),
    ...(isWhole ? { gate } : {}),
  };
}

/** Conditions whose parameters are those that stand for the recorded results. */
function fitConditions(conditions: Conditions, places: ConditionIndexes): Conditions {
  const rest: Conditions = recordedProperties(conditions);
  const known = toParamConditions(conditions.params).flatMap((clause) => places.get(paramConditionKey(clause)) ?? []);
  if (known.length === 0) return rest;
  return { ...rest, params: Object.fromEntries(known.map((place) => [conditionParam(place), [trueValuePattern]])) };
}

/** Returns the conditions whose properties a recording holds. */
function recordedProperties(when: Conditions): Conditions;
function recordedProperties(when: Conditions): object {
  const recorded = [...givenConditions(when)].filter(({ condition }) => condition.recorded === 'property');
  return Object.fromEntries(recorded.map(({ key, value }) => [key, value]));
}
