import { formatDuration } from '../kernel/duration.ts';
import { formatPattern } from './pattern.ts';
import type {
  ActiveWindow,
  Comparison,
  Conditions,
  GateClause,
  GateSource,
  GroupCondition,
  GroupKey,
  Operator,
  Patterns,
  Protection,
} from './policy.ts';

const operators: Readonly<Record<Operator, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
};
const companies: Readonly<Record<GroupKey, string>> = {
  node: 'on one node',
  graph: 'of one graph',
  query: 'of one name',
};
const pressures: Readonly<Record<GateSource, (bound: Comparison) => string>> = {
  node_memory: (bound) => `${sharePhrase(bound)} of the node's memory is used`,
  node_cpu: (bound) => `${sharePhrase(bound)} of the node's CPU is used`,
  queue_depth: (bound) => `the number of queries that wait on the node is ${countPhrase(bound)}`,
  queue_oldest: (bound) => `the oldest query that waits on the node has waited for ${lengthPhrase(bound)}`,
};
const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** What queries have to be like, each to be read after «queries that». */
export function conditionPhrases(when: Conditions): readonly string[] {
  const { method, params = {}, age, grantedTimeout, remaining, ageShare } = when;
  return [
    ...wherePhrases(when),
    ...told(method, (patterns) => `were asked for with ${alternatives(patterns)}`),
    ...Object.entries(params).map(([name, patterns]) => `have a parameter ${name} that is ${alternatives(patterns)}`),
    ...told(age, (bound) => `have run for ${lengthPhrase(bound)}`),
    ...told(grantedTimeout, (bound) => `were granted a timeout of ${lengthPhrase(bound)}`),
    ...told(remaining, (bound) => `have ${lengthPhrase(bound)} left until the server ends them`),
    ...told(ageShare, (bound) => `have used ${sharePhrase(bound)} of their timeout`),
  ];
}

/** Where queries have to run and how they are called, each to be read after «queries that». */
export function wherePhrases({ node, graph, query }: Protection): readonly string[] {
  return [
    ...told(node, (patterns) => `run on the node ${alternatives(patterns)}`),
    ...told(graph, (patterns) => `are of the graph ${alternatives(patterns)}`),
    ...told(query, (patterns) => `are called ${alternatives(patterns)}`),
  ];
}

/** One pressure, to be read after «while». */
export function pressurePhrase({ source, bound, hold }: GateClause): string {
  return `${pressures[source](bound)}, and has been so for ${formatDuration(hold)}`;
}

/** The company that a query has to have, to be read after «where». */
export function groupPhrase({ by, count, oldest, youngest }: GroupCondition): string {
  const place = by.includes('node') ? [] : ['in the whole cluster'];
  const wanted = [
    ...told(count, (bound) => `there are ${countPhrase(bound)}`),
    ...told(oldest, (bound) => `the oldest has run for ${lengthPhrase(bound)}`),
    ...told(youngest, (bound) => `the youngest has run for ${lengthPhrase(bound)}`),
  ];
  return `of those ${listed([...place, ...by.map((key) => companies[key])], 'and')} ${listed(wanted, 'and')}`;
}

/** When a policy acts, to be read after «only». */
export function windowPhrase({ days, from, to, zone }: ActiveWindow): string {
  const end = to <= from ? `${timeOfDay(to)} of the next day` : timeOfDay(to);
  const names = days.length === dayNames.length ? 'every day' : `on ${daysPhrase(days)}`;
  return `${names} from ${timeOfDay(from)} to ${end} (${zone})`;
}

/** `a, b or c`. */
export function listed(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

function told<T>(value: T | undefined, phrase: (value: T) => string): readonly string[] {
  return value === undefined ? [] : [phrase(value)];
}

function alternatives(patterns: Patterns): string {
  return listed(
    patterns.map((pattern) => formatPattern(pattern) || 'empty'),
    'or',
  );
}

function lengthPhrase({ operator, value }: Comparison): string {
  return `${operators[operator]} ${formatDuration(value)}`;
}

function countPhrase({ operator, value }: Comparison): string {
  return `${operators[operator]} ${value}`;
}

function sharePhrase({ operator, value }: Comparison): string {
  return `${operators[operator]} ${Number((value * 100).toFixed(4))} %`;
}

/** Days that follow each other are told by the first and the last. */
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
