import type { Millis } from '../../kernel/time.ts';
import { kindOf, quoted } from '../custom/printed-rows.ts';
import { follow, isContainer, type ValuePath } from '../custom/value-path.ts';
import type { AgeAssertion, Assertions, CountAssertion, ProbeFailureReason, ValueAssertion } from './probe.ts';

/** Reply that is evaluated. */
export interface EvaluatedReply {
  readonly results: unknown;
  readonly duration: Millis;
  /** Ms since the epoch. */
  readonly endedAt: number;
}

/** Result of the assertions of a probe. */
export interface AssertionResult {
  readonly failure: { readonly reason: ProbeFailureReason; readonly message: string } | undefined;
  readonly resultAge: Millis | undefined;
}

/**
 * Evaluates the assertions of a probe. The message names paths and limits of the configuration, and never a value that the
 * server returned: it can be data of users.
 */
export function evaluateAssertions(assertions: Assertions, reply: EvaluatedReply): AssertionResult {
  const { maxLatency, count, values, age } = assertions;
  const aged = age === undefined ? { age: undefined, problem: undefined } : ageProblem(age, reply);
  const problems = [
    ['count', count === undefined ? undefined : countProblem(count, reply.results)],
    ...values.map((one) => ['value', valueProblem(one, reply.results)] as const),
    ['age', aged.problem],
    ['latency', maxLatency === undefined || reply.duration <= maxLatency ? undefined : tooSlow(maxLatency)],
  ] as const;
  const [first] = problems.flatMap(([reason, message]) => (message === undefined ? [] : [{ reason, message }]));
  return { failure: first, resultAge: aged.age };
}

function tooSlow(most: Millis): string {
  return `the answer took longer than max_latency (${most} ms)`;
}

function countProblem({ path, min, max }: CountAssertion, results: unknown): string | undefined {
  const found = path === undefined ? results : valueAt(path, results);
  const subject = path === undefined ? 'the result' : quoted(path);
  if (!isContainer(found)) return `${subject} is ${kindOf(found)}, not a list or an object, and has no count`;
  const entries = Array.isArray(found) ? found.length : Object.keys(found).length;
  if (min !== undefined && entries < min) return `${subject} has ${entries} entries, fewer than min (${min})`;
  return max !== undefined && entries > max ? `${subject} has ${entries} entries, more than max (${max})` : undefined;
}

function valueProblem({ path, equals, min, max }: ValueAssertion, results: unknown): string | undefined {
  const found = valueAt(path, results);
  if (found === undefined) return `${quoted(path)} does not exist in the result`;
  if (equals !== undefined)
    return found === equals ? undefined : `${quoted(path)} does not have the value that equals requires`;
  if (min === undefined && max === undefined) return undefined;
  if (typeof found !== 'number') return `${quoted(path)} is ${kindOf(found)}, not a number`;
  if (min !== undefined && found < min) return `${quoted(path)} is less than min (${min})`;
  return max !== undefined && found > max ? `${quoted(path)} is more than max (${max})` : undefined;
}

function ageProblem(
  { path, max }: AgeAssertion,
  { results, endedAt }: EvaluatedReply,
): { readonly age: Millis | undefined; readonly problem: string | undefined } {
  const found = valueAt(path, results);
  const at = timeOf(found);
  if (at === undefined) {
    const problem = `${quoted(path)} is ${kindOf(found)}, not a time: Unix time, or YYYY-MM-DD hh:mm:ss in UTC`;
    return { age: undefined, problem };
  }
  const age = endedAt - at;
  const isOld = max !== undefined && age > max;
  return { age, problem: isOld ? `${quoted(path)} is older than age.max (${max} ms)` : undefined };
}

/** Minimum number that counts as a Unix time in milliseconds; smaller ones are in seconds. */
const minMillis = 100_000_000_000;

/** Returns a time in ms since the epoch; undefined if the value is none. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value > minMillis ? value : value * 1000;
  const [, date, time] =
    typeof value === 'string' ? (/^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z?$/.exec(value) ?? []) : [];
  const at = Date.parse(`${date}T${time}Z`);
  return Number.isNaN(at) ? undefined : at;
}

function valueAt({ steps }: ValuePath, results: unknown): unknown {
  const found = follow(results, steps);
  return 'value' in found ? found.value : undefined;
}
