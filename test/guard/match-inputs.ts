import type { Candidate } from '../../src/guard/candidate.ts';
import type { Comparison, Operator } from '../../src/guard/comparison.ts';
import type { Conditions } from '../../src/guard/conditions/all.ts';
import type { MatchInput } from '../../src/guard/matcher.ts';
import type { Patterns } from '../../src/guard/pattern.ts';
import type { Policy } from '../../src/guard/policy.ts';
import type { Range } from '../../src/kernel/range.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { at, idAt, observationOf } from './observations.ts';

/** `> 600000` as what a policy holds. */
export function bound(text: string): Comparison {
  const [operator = '', value] = text.split(' ');
  if (!isOperator(operator)) throw new Error(`no operator: ${operator}`);
  return { operator, value: Number(value) };
}

function isOperator(text: string): text is Operator {
  return ['>', '>=', '<', '<='].includes(text);
}

/** Globs as what a policy holds. */
export function globs(...texts: readonly string[]): Patterns {
  return texts.map((text) => ({ kind: 'glob', text }));
}

/** An enforcing policy for queries older than a minute. */
export function policyOf(when: Conditions = { age: bound('> 60000') }, changes: Partial<Policy> = {}): Policy {
  return {
    name: 'runaway',
    mode: 'enforce',
    when,
    victims: { pick: 'oldest', max: 1 },
    confirm: { observations: 2, apart: 5000 },
    grace: 30_000,
    cooldown: 60_000,
    notify: [],
    ...changes,
  };
}

/** What a test says of a query. */
export interface CandidateOptions {
  readonly node?: string;
  readonly url?: string;
  /** Least, and most where it is not the same. */
  readonly age?: Millis | Range;
  /** Least, and most where it is not the same; negative for none. */
  readonly timeout?: Millis | Range;
  readonly method?: string;
  readonly seen?: Millis;
}

let serial = 0;

/** A query of node `n1`, `/query/fraud/ring_scan`, two minutes old, seen at 0, with an hour's timeout. */
export function candidate({ node = 'n1', url = '/query/fraud/ring_scan', ...run }: CandidateOptions = {}): Candidate {
  const { age = 120_000, timeout = 3_600_000, seen = 0 } = run;
  serial += 1;
  const observation = observationOf({ requestid: idAt(0, serial), url, method: run.method });
  const range = rangeOf(age);
  const grantedTimeout = rangeOf(timeout);
  const granted = grantedTimeout.least < 0 ? {} : { grantedTimeout };
  const { mono } = at(seen);
  return { node, observation, at: mono, age: range, ...granted, since: mono - range.least };
}

function rangeOf(value: number | Range): Range {
  return typeof value === 'number' ? exactly(value) : value;
}

/** The range of a value that is known exactly. */
export function exactly(value: number): Range {
  return { least: value, most: value };
}

/** A scene at 0 in which no gate is open. */
export function matchInputOf(
  candidates: readonly Candidate[],
  changes: Partial<MatchInput> & { readonly after?: Millis } = {},
): MatchInput {
  const { after = 0, ...rest } = changes;
  const everyone = { isComplete: true, incompleteNodes: new Set<string>(), countsInGroups: () => true };
  return {
    candidates,
    listedAt: at(0).mono,
    now: at(after),
    groups: new Map(),
    ...everyone,
    gateSince: () => undefined,
    ...rest,
  };
}
