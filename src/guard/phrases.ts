import { formatDuration } from '../kernel/duration.ts';
import type { Range } from './candidate.ts';
import type { Comparison, Operator } from './comparison.ts';
import { formatPattern, type Patterns } from './pattern.ts';

const operators: Readonly<Record<Operator, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
};

/** `a, b or c`. */
export function joinWords(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** Patterns of which one must match. */
export function alternatives(patterns: Patterns): string {
  return joinWords(
    patterns.map((pattern) => formatPattern(pattern) || 'empty'),
    'or',
  );
}

/** A bound in units of time. */
export function durationPhrase({ operator, value }: Comparison): string {
  return `${operators[operator]} ${formatDuration(value)}`;
}

/** A bound on a number. */
export function countPhrase({ operator, value }: Comparison): string {
  return `${operators[operator]} ${value}`;
}

/** A bound in percent. */
export function sharePhrase({ operator, value }: Comparison): string {
  return `${operators[operator]} ${Number((value * 100).toFixed(4))} %`;
}

/** A bound in units of time, as the configuration writes it: `> 10m`. */
export function durationBoundText({ operator, value }: Comparison): string {
  return `${operator} ${formatDuration(value)}`;
}

/** A duration in whole seconds, or two if it is not known exactly: `12m30s to 12m32s`. */
export function durationRangeText({ least, most }: Range): string {
  const [from, to] = [least, most].map((length) => {
    const seconds = Math.floor(Math.abs(length) / 1000) * 1000;
    return `${length < 0 && seconds > 0 ? '-' : ''}${formatDuration(seconds)}`;
  });
  return from === to ? `${from}` : `${from} to ${to}`;
}
