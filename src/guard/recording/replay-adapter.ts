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
  const params = Array.from(
    results,
    (digit, place) => `${conditionParam(place)}=${digit === '1' ? trueValue : 'false'}`,
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
    return { policy: fitPolicy({ ...policy, mode }, header, places), lacks: missingConditions(policy, header, places) };
  });
  const settings: GuardSettings = {
    ...guard,
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

function missingConditions(
  { when, gate }: Policy,
  { pressures }: RecordingHeader,
  places: ConditionIndexes,
): readonly string[] {
  const params = Object.entries(when.params ?? {}).flatMap(([param, patterns]) =>
    toParamConditions({ [param]: patterns }).some((clause) => places.has(paramConditionKey(clause)))
      ? []
      : [`when.params.${param} like ${patterns.map(formatPattern).join(' or ')}`],
  );
  const unrecorded = [...givenConditions(when)]
    .filter(({ condition }) => condition.recorded === 'nothing')
    .map(({ condition }) => `when.${condition.name}`);
  const sources = new Set((gate?.clauses ?? []).map(({ source }) => source));
  return [
    ...params,
    ...unrecorded,
    ...[...sources].filter((source) => !pressures.includes(source)).map((source) => `gate.${source}`),
  ];
}

/** The policy as far as the recording can answer it. */
function fitPolicy({ gate, ...policy }: Policy, { pressures }: RecordingHeader, places: ConditionIndexes): Policy {
  const { params } = policy.when;
  const rest: Conditions = recordedProperties(policy.when);
  const known = toParamConditions(params).flatMap((clause) => places.get(paramConditionKey(clause)) ?? []);
  const asked = Object.fromEntries(known.map((place) => [conditionParam(place), [trueValuePattern]]));
  const when: Conditions = known.length === 0 ? rest : { ...rest, params: asked };
  const isWhole = gate?.clauses.every(({ source }) => pressures.includes(source)) === true;
  return { ...policy, when, ...(isWhole ? { gate } : {}) };
}

/** Returns the conditions whose properties a recording holds. */
function recordedProperties(when: Conditions): Conditions;
function recordedProperties(when: Conditions): object {
  const recorded = [...givenConditions(when)].filter(({ condition }) => condition.recorded === 'property');
  return Object.fromEntries(recorded.map(({ key, value }) => [key, value]));
}
