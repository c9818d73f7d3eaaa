import type { Comparison, Conditions, GuardSettings, Patterns } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { Query } from '../world/log.ts';

/** From when to when something is so. */
export interface Span {
  readonly from: Millis;
  readonly to: Millis;
}

/** What is never otherwise. */
export const always: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Whether a text is what one of the globs says. */
function isLike(text: string, patterns: Patterns): boolean {
  return patterns.some((glob) => {
    const source = glob.text
      .replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${source}$`, 's').test(text);
  });
}

/** Whether a query is out of bounds, or of a kind that nobody aborts. */
export function isSpared({ protect }: GuardSettings, query: Query): boolean {
  if (!query.isInstalled) return true;
  return protect.some(
    ({ node, graph, query: name }) =>
      (node === undefined || isLike(query.node, node)) &&
      (graph === undefined || isLike(query.graph, graph)) &&
      (name === undefined || isLike(query.name, name)),
  );
}

/** Whether what never changes of a query is as the conditions ask. */
export function isOfThese(
  { node, graph, query: name, grantedTimeout, remaining, ageShare }: Conditions,
  query: Query,
): boolean {
  const isTimed = grantedTimeout !== undefined || remaining !== undefined || ageShare !== undefined;
  return (
    (node === undefined || isLike(query.node, node)) &&
    (graph === undefined || isLike(query.graph, graph)) &&
    (name === undefined || isLike(query.name, name)) &&
    (!isTimed || query.granted !== undefined) &&
    (grantedTimeout === undefined || isMore(grantedTimeout, query.granted ?? 0))
  );
}

/** Scenes ask for `more than` alone. */
export function isMore({ operator, value }: Comparison, actual: number): boolean {
  return operator === '>' ? actual > value : actual >= value;
}

/** When the conditions on time hold; `slack` is what ages may be taken wrong by, in favour of the policy. */
export function spanOf({ age, remaining, ageShare }: Conditions, { beganAt, granted = 0 }: Query, slack: Millis): Span {
  const ages = [age?.value ?? 0, ageShare === undefined ? 0 : ageShare.value * granted];
  const from = beganAt + Math.max(...ages) - slack;
  return { from, to: remaining === undefined ? Number.POSITIVE_INFINITY : beganAt + granted - remaining.value + slack };
}
