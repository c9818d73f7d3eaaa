import { z } from 'zod';
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
    .describe('Patterns by parameter of the request, all of which must match. graphwarden never stores the values.')
    .meta({ examples: [{ depth: 're:^[0-9]{2,}$' }] }),
  recorded: 'clauses',
  test(wanted) {
    const tests = Object.entries(wanted).map(([name, patterns]) => [name, compilePatterns(patterns)] as const);
    return ({ observation }) => {
      const given = urlParams(observation.url);
      return given !== undefined && tests.every(([name, test]) => given.get(name)?.every(test) === true);
    };
  },
  phrases: (wanted) =>
    Object.entries(wanted).map(([name, patterns]) => `have a parameter ${name} that is ${alternatives(patterns)}`),
  neverMatches: 'Never a query with its parameters in the body: the server does not list them.',
  excludes: () => true,
};

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
