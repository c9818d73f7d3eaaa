import { z } from 'zod';
import { parseDuration } from '../kernel/duration.ts';
import { err, mapResult, ok, type Result } from '../kernel/result.ts';
import type { Comparison, Operator } from './comparison.ts';
import { type Pattern, type Patterns, parsePattern, type Subject } from './pattern.ts';

/** Allowed operators: all, or lower bounds (`>`, `>=`) only. */
type Direction = 'either' | 'up';

interface BoundFormat {
  readonly title: string;
  readonly example: string;
  readonly direction: Direction;
  readonly read: (text: string) => Result<number, string>;
}

/** Field for a bound on a duration, such as `> 10m`, parsed to milliseconds. */
export const durationBound = boundField({
  title: 'comparison of a duration',
  example: '> 10m',
  direction: 'either',
  read: readDuration,
});

/** Field for a bound on a share that may exceed 1. */
export const shareBound = boundField({
  title: 'comparison of a share',
  example: '> 0.9',
  direction: 'either',
  read: (text) => readNumber(text, 100),
});

/** Field for a lower bound on a count. */
export const countBound = boundField({
  title: 'lower bound of a count',
  example: '>= 2',
  direction: 'up',
  read: readCount,
});

/** Field for a lower bound on a load, a share from 0 to 1. */
export const loadBound = boundField({
  title: 'lower bound of a share',
  example: '> 0.85',
  direction: 'up',
  read: (text) => readNumber(text, 1),
});

/** Field for a lower bound on a waiting time. */
export const waitBound = boundField({
  title: 'lower bound of a duration',
  example: '> 30s',
  direction: 'up',
  read: readDuration,
});

function boundField(bounds: BoundFormat) {
  const { title, example } = bounds;
  return z
    .string()
    .transform((text, context): Comparison => {
      const comparison = readComparison(text.trim(), bounds);
      if (comparison.ok) return comparison.value;
      context.issues.push({ code: 'custom', message: `${comparison.error}, for example "${example}"`, input: '' });
      return z.NEVER;
    })
    .meta({ title, examples: [example] });
}

function readComparison(text: string, { direction, read }: BoundFormat): Result<Comparison, string> {
  const sign = /^[<>]=?/.exec(text)?.[0] ?? '';
  const operator = operatorOf(sign, direction);
  return operator.ok
    ? mapResult(read(text.slice(sign.length).trim()), (value) => ({ operator: operator.value, value }))
    : operator;
}

function operatorOf(sign: string, direction: Direction): Result<Operator, string> {
  if (sign === '>' || sign === '>=') return ok(sign);
  const wanted = direction === 'up' ? '> or >=' : '>, >=, < or <=';
  if (direction === 'up' || (sign !== '<' && sign !== '<=')) return err(`must begin with ${wanted}`);
  return ok(sign);
}

function readDuration(text: string): Result<number, string> {
  const length = parseDuration(text);
  return length.ok ? length : err('must end with a duration such as 30s, 10m or 1h30m');
}

function readCount(text: string): Result<number, string> {
  return /^\d{1,6}$/.test(text) ? ok(Number(text)) : err('must end with a whole number');
}

function readNumber(text: string, most: number): Result<number, string> {
  const value = /^\d{1,3}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  return value <= most ? ok(value) : err(`must end with a number from 0 to ${most}`);
}

/** Creates a field for one pattern or a list of alternatives. */
export function patternsField(subject: Subject) {
  return z
    .union([z.string(), z.array(z.string()).min(1)], { error: 'must be a string or a list of strings' })
    .transform((given, context): Patterns => {
      const texts = typeof given === 'string' ? [given] : given;
      return texts.flatMap((text, at): readonly Pattern[] => {
        const pattern = parsePattern(text, subject);
        if (pattern.ok) return [pattern.value];
        const path = typeof given === 'string' ? [] : [at];
        context.issues.push({ code: 'custom', message: pattern.error, path, input: '' });
        return [];
      });
    });
}
