import { z } from 'zod';
import type { Candidate } from '../candidate.ts';
import { patternsField } from '../condition-fields.ts';
import { compilePatterns, type Patterns } from '../pattern.ts';
import { alternatives } from '../phrases.ts';
import type { PolicyCondition } from './condition.ts';

/** Parameters of the request. A parameter that is given more than once must match each time. */
export const params: PolicyCondition<Readonly<Record<string, Patterns>>> = {
  name: 'params',
  field: z
    .record(z.string().min(1, { error: 'is not a parameter name' }), patternsField('text'), {
      error: 'must be a mapping of parameters to patterns',
    })
    .refine((given) => Object.keys(given).length > 0, { error: 'must have at least one parameter' })
    .optional()
    .describe('Patterns by name of a request parameter; all of them must match. graphwarden never stores the values.')
    .meta({ examples: [{ depth: 're:^[0-9]{2,}$' }] }),
  canProtect: true,
  recorded: 'clauses',
  test(wanted) {
    const tests = Object.entries(wanted).map(([name, patterns]) => [name, compilePatterns(patterns)] as const);
    const holds = (url: string): boolean | undefined => {
      const given = urlParams(url);
      const results = tests.map(([name, test]) => matchesEach(given?.get(name) ?? [], test));
      return results.includes(false) ? false : results.includes(undefined) ? undefined : true;
    };
    // Policies are evaluated each second, and lists arrive less often.
    const known = new WeakMap<Candidate, { readonly holds: boolean | undefined }>();
    return (candidate) => {
      const result = known.get(candidate) ?? { holds: holds(candidate.observation.url) };
      known.set(candidate, result);
      return result.holds;
    };
  },
  wanted: (wanted) =>
    Object.entries(wanted)
      .map(([name, patterns]) => `${name}: ${alternatives(patterns)}`)
      .join(', '),
  seen: ({ observation }) => (urlParams(observation.url)?.size ? 'not shown' : undefined),
  phrases: (wanted) =>
    Object.entries(wanted).map(([name, patterns]) => `have a parameter ${name} that is ${alternatives(patterns)}`),
  neverMatches: 'Queries with parameters in the body never match: the server does not list these parameters.',
  excludes: () => true,
};

/**
 * Returns whether all values of a parameter match; undefined if there is none, or if only some match: the server uses
 * one of them.
 */
function matchesEach(values: readonly string[], test: (value: string) => boolean): boolean | undefined {
  if (values.length === 0) return undefined;
  if (values.every(test)) return true;
  return values.some(test) ? undefined : false;
}

/**
 * Returns the parameters of a URL, decoded as a form; each may occur more than once. Undefined if one cannot be decoded,
 * because the value that the server used is unknown then. The values are user data.
 */
export function urlParams(url: string): ReadonlyMap<string, readonly string[]> | undefined {
  const found = new Map<string, string[]>();
  const query = queryOf(url);
  const isPlain = !/[%+]/.test(query);
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    const text = equals < 0 ? '' : pair.slice(equals + 1);
    const name = isPlain ? key : decoded(key);
    const value = isPlain ? text : decoded(text);
    if (name === undefined || value === undefined) return undefined;
    const values = found.get(name);
    if (values === undefined) found.set(name, [value]);
    else values.push(value);
  }
  return found;
}

function queryOf(url: string): string {
  const begin = url.indexOf('?');
  if (begin < 0) return '';
  const end = url.indexOf('#', begin);
  return end < 0 ? url.slice(begin + 1) : url.slice(begin + 1, end);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
