import { formatDuration } from '../kernel/duration.ts';
import type { Comparison } from './comparison.ts';
import { type Conditions, givenConditions } from './conditions/all.ts';
import { countPhrase, durationPhrase, joinWords, sharePhrase } from './phrases.ts';
import type { ActiveWindow, GateClause, GateSource, GroupCondition, GroupKey } from './policy.ts';

const groupKeyPhrases: Readonly<Record<GroupKey, string>> = {
  node: 'on one node',
  graph: 'in one graph',
  query: 'with one name',
};
const pressurePhrases: Readonly<Record<GateSource, (bound: Comparison) => string>> = {
  node_memory: (bound) => `${sharePhrase(bound)} of the node's memory is used`,
  node_cpu: (bound) => `${sharePhrase(bound)} of the node's CPU is used`,
  queue_depth: (bound) => `the number of delayed queries on the node is ${countPhrase(bound)}`,
  queue_oldest: (bound) => `the oldest delayed query on the node has waited for ${durationPhrase(bound)}`,
};
const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Returns the phrases of conditions, each a continuation of «queries that». */
export function conditionPhrases(when: Conditions): readonly string[] {
  return [...givenConditions(when)].flatMap(({ condition, value }) => condition.phrases(value));
}

/** Formats a gate clause as a continuation of «while». */
export function pressurePhrase({ source, bound, for: hold }: GateClause): string {
  return `${pressurePhrases[source](bound)}, for at least ${formatDuration(hold)}`;
}

/** Formats a value of a pressure source in its unit, such as `0.85` or `30s`. */
export function pressureText(source: GateSource, value: number): string {
  return source === 'queue_oldest' ? formatDuration(Math.floor(value / 1000) * 1000) : `${Number(value.toFixed(3))}`;
}

/** Formats a group condition as a continuation of «if». */
export function groupPhrase({ by, count, oldest, youngest }: GroupCondition): string {
  const scopeText = by.includes('node') ? [] : ['in the whole cluster'];
  const wanted = [
    ...optionalPhrase(count, (bound) => `there are ${countPhrase(bound)}`),
    ...optionalPhrase(oldest, (bound) => `the oldest has run for ${durationPhrase(bound)}`),
    ...optionalPhrase(youngest, (bound) => `the youngest has run for ${durationPhrase(bound)}`),
  ];
  return `of the matching queries ${joinWords([...scopeText, ...by.map((key) => groupKeyPhrases[key])], 'and')} ${joinWords(wanted, 'and')}`;
}

/** Formats active hours as a continuation of «only». */
export function windowPhrase({ days, from, to, zone }: ActiveWindow): string {
  const end = to <= from ? `${timeOfDay(to)} of the next day` : timeOfDay(to);
  const names = days.length === dayNames.length ? 'every day' : `on ${daysPhrase(days)}`;
  return `${names} from ${timeOfDay(from)} to ${end} (${zone})`;
}

function optionalPhrase<T>(value: T | undefined, phrase: (value: T) => string): readonly string[] {
  return value === undefined ? [] : [phrase(value)];
}

/** Formats days; consecutive days are a range of the first and the last. */
function daysPhrase(days: readonly number[]): string {
  const begins = days.filter((day) => !days.includes((day + 6) % 7));
  const runs = begins.map((first) => {
    let last = first;
    while (days.includes((last + 1) % 7)) last = (last + 1) % 7;
    return first === last ? dayNames[first] : `${dayNames[first]}–${dayNames[last]}`;
  });
  return runs.join(', ');
}

function timeOfDay(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${hours}:${rest}`;
}
