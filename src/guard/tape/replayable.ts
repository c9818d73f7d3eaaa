import { effectiveMode } from '../mode.ts';
import { formatPattern } from '../pattern.ts';
import type { Conditions, GuardSettings, Pattern, Policy } from '../policy.ts';
import { clauseParam, trueText } from './body.ts';
import { clauseKey, paramClauses } from './clauses.ts';
import type { TapeHeader } from './format.ts';
import { concerning } from './recording.ts';

/** A policy that a recording cannot answer: what it lacks, in the words of the configuration. */
export interface Unanswered {
  readonly policy: string;
  readonly lacks: readonly string[];
}

/** A guard that judges a recording, and what it cannot judge by it. */
export interface Replayable {
  /** With the policies alone that the recording answers whole. */
  readonly settings: GuardSettings;
  /** For each of the others a guard of its own that only observes, without what the recording lacks. */
  readonly guesses: readonly { readonly unanswered: Unanswered; readonly settings: GuardSettings }[];
}

const never = Number.POSITIVE_INFINITY;
const itself: Pattern = { kind: 'glob', text: trueText };

/**
 * Fits a guard to a recording. Clauses on parameters ask for the truth that was recorded of them. Relief is not
 * judged: the pressure went on as if nothing had been aborted, since nothing was.
 */
export function replayable(
  guard: GuardSettings,
  header: TapeHeader,
  { enforceAll = false }: { readonly enforceAll?: boolean } = {},
): Replayable {
  const places = new Map(header.clauses.map((clause, place) => [clauseKey(clause), place]));
  const concerned = concerning(guard, header.cluster);
  const fitted = concerned.map((policy) => {
    const mode = enforceAll ? 'enforce' : effectiveMode(guard, policy);
    return { policy: answered({ ...policy, mode }, header, places), lacks: lacking(policy, header, places) };
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

type Places = ReadonlyMap<string, number>;

function lacking({ when, gate }: Policy, { pressures }: TapeHeader, places: Places): readonly string[] {
  const params = Object.entries(when.params ?? {}).flatMap(([param, patterns]) =>
    paramClauses({ [param]: patterns }).some((clause) => places.has(clauseKey(clause)))
      ? []
      : [`when.params.${param} like ${patterns.map(formatPattern).join(' or ')}`],
  );
  const sources = new Set((gate?.clauses ?? []).map(({ source }) => source));
  return [...params, ...[...sources].filter((source) => !pressures.includes(source)).map((source) => `gate.${source}`)];
}

/** The policy as far as the recording can answer it. */
function answered({ gate, ...policy }: Policy, { pressures }: TapeHeader, places: Places): Policy {
  const { params, ...rest } = policy.when;
  const known = paramClauses(params).flatMap((clause) => places.get(clauseKey(clause)) ?? []);
  const asked = Object.fromEntries(known.map((place) => [clauseParam(place), [itself]]));
  const when: Conditions = known.length === 0 ? rest : { ...rest, params: asked };
  const isWhole = gate?.clauses.every(({ source }) => pressures.includes(source)) === true;
  return { ...policy, when, ...(isWhole ? { gate } : {}) };
}
