import { z } from 'zod';
import type { Candidate } from '../candidate.ts';
import { conditionsTest } from '../conditions.ts';
import { formatPattern } from '../pattern.ts';
import type { Patterns, Policy } from '../policy.ts';
import type { Sighting } from '../sighting.ts';

/** What a policy asks of one parameter, as configurations write it. Recordings hold its truth, never a value. */
export const clauseLine = z.strictObject({
  param: z.string().max(1000),
  patterns: z.array(z.string().max(1000)).min(1).max(1000).readonly(),
});

/** One of {@link clauseLine}. */
export type Clause = Readonly<z.infer<typeof clauseLine>>;

/** Answers which of the clauses a query meets, as one digit for each of them: `101`. */
export type ClauseTest = (sighting: Sighting) => string;

/** All that policies ask of parameters, each thing once. */
export function clausesOf(policies: readonly Pick<Policy, 'when'>[]): readonly Clause[] {
  const all = policies.flatMap(({ when }) => paramClauses(when.params));
  return [...new Map(all.map((clause) => [clauseKey(clause), clause])).values()];
}

/** What one policy asks of parameters. */
export function paramClauses(params: Readonly<Record<string, Patterns>> = {}): readonly Clause[] {
  return Object.entries(params).map(clauseOf);
}

function clauseOf([param, patterns]: readonly [string, Patterns]): Clause {
  return { param, patterns: patterns.map(formatPattern) };
}

/** What tells a clause from another: two that are written alike mean the same. */
export function clauseKey({ param, patterns }: Clause): string {
  return JSON.stringify([param, ...patterns]);
}

/** Compiles the clauses of policies, in the order of {@link clausesOf}: what the guard itself would say. */
export function clauseTest(policies: readonly Pick<Policy, 'when'>[]): ClauseTest {
  const tests = new Map<string, (candidate: Candidate) => boolean>();
  for (const { when } of policies) {
    for (const [param, patterns] of Object.entries(when.params ?? {})) {
      tests.set(clauseKey(clauseOf([param, patterns])), conditionsTest({ params: { [param]: patterns } }).isMeant);
    }
  }
  const inOrder = [...tests.values()];
  return (sighting) => {
    const candidate: Candidate = { node: '', sighting, at: 0, age: { least: 0, most: 0 } };
    return inOrder.map((test) => (test(candidate) ? '1' : '0')).join('');
  };
}
