import { formatDuration } from '../kernel/duration.ts';
import type { Range } from '../kernel/range.ts';
import type { Comparison, Operator } from './comparison.ts';
import { formatPattern, type Patterns } from './pattern.ts';

const operators: Readonly<Record<Operator, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
};

/** Joins words with commas and a final conjunction: `a, b or c`. */
export function joinWords(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** Formats patterns as alternatives: `a, b or c`. */
export function alternatives(patterns: Patterns): string {
  return joinWords(
    patterns.map((pattern) => formatPattern(pattern) || 'empty'),
    'or',
  );
}

/** Formats a bound on a duration: `more than 10m`. */
export function durationPhrase({ operator, value }: Comparison): string {
  return `${operators[operator]} ${formatDuration(value)}`;
}

/** Formats a bound on a number: `at least 3`. */
export function countPhrase({ operator, value }: Comparison): string {
  return `${operators[operator]} ${value}`;
}

/** Formats a bound on a share as a percentage: `more than 85 %`. */
export function sharePhrase({ operator, value }: Comparison): string {
  return `${operators[operator]} ${Number((value * 100).toFixed(4))} %`;
}

/** Formats a bound on a duration as the configuration writes it: `> 10m`. */
export function durationBoundText({ operator, value }: Comparison): string {
  return `${operator} ${formatDuration(value)}`;
}

/** Formats a duration in whole seconds, or both ends of a range: `12m30s to 12m32s`. */
export function durationRangeText({ least, most }: Range): string {
  const [from, to] = [least, most].map((length) => {
    const seconds = Math.floor(Math.abs(length) / 1000) * 1000;
    return `${length < 0 && seconds > 0 ? '-' : ''}${formatDuration(seconds)}`;
  });
  return from === to ? `${from}` : `${from} to ${to}`;
}
