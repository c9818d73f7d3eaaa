import { z } from 'zod';
import { isVertexId } from '../../graphdb/call-paths.ts';
import type { CallName } from '../../graphdb/calls.ts';
import type { ParameterValues, ProbeTask } from '../../model/probe.ts';

/** Kind of a probe: one file with one constant of this type, and one line in `kinds/all.ts`. */
export interface ProbeKind {
  /** File name and key of the configuration, in snake case. */
  readonly name: ProbeTask['kind'];
  /** Description of a run, for the documentation. */
  readonly about: string;
  /** Privilege that the server requires, in the words of the server. */
  readonly privilege: string;
  /** Cost of a run for the server, for the documentation. */
  readonly cost: string;
  /** Calls of the client that a run makes. */
  readonly calls: readonly CallName[];
  /** Schema of the section; its output is the task. */
  readonly section: z.ZodType<ProbeTask>;
}

/** Maximum number of characters of all parameters in a query string; the server accepts URLs of 8 kB. */
const maxQueryString = 6000;

/** Maximum number of characters of all parameters in a body. */
const maxBody = 65_536;

/** Name of a type of vertices or edges, or of an attribute. */
export const typeName = z.string().regex(/^[A-Za-z_]\w{0,127}$/, {
  error: 'must be a name of the schema: letters, digits and underscores, without a digit at the start',
});

/** Id of a vertex that is part of a path. */
export const vertexId = z
  .union([z.string(), z.int()], { error: 'must be the id of a vertex: a text or a whole number' })
  .transform(String)
  .refine(isVertexId, {
    error:
      'must be 1 to 512 characters, other than control characters and / \\ % ? #, and more than dots; use a query for other ids',
  });

/** Attributes that the server returns. */
export const selectField = z
  .array(typeName)
  .max(50)
  .prefault([])
  .describe('Attributes that the server returns; all if omitted.')
  .meta({ examples: [['updated_at']] });

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const parameterVertex = z
  .strictObject({ id: z.union([z.string(), z.int()]).transform(String), type: typeName.optional() })
  .transform(({ id, type }) => ({ id, ...(type === undefined ? {} : { type }) }));

const parameterName = z.string().regex(/^[A-Za-z_]\w{0,63}$/, {
  error: 'is not the name of a parameter: letters, digits and underscores, without a digit at the start',
});

const parameterValue = z.union(
  [
    scalar,
    parameterVertex,
    z.array(z.union([scalar, parameterVertex])).max(1000),
    z.strictObject({ map: z.record(z.string(), scalar) }),
  ],
  {
    error:
      'must be a text, a number, true, false, a vertex { id, type }, a list of up to 1000 of these, or { map: { key: value } }',
  },
);

/** Parameters of a query. */
export const parametersField = z
  .record(parameterName, parameterValue)
  .prefault({})
  .describe(
    'Parameters of the query: a text, a number, `true` or `false`; a vertex as `{ id, type }`, whose type may be omitted if the query declares it; a list of these for a set; `{ map: { key: value } }` for a map.',
  )
  .meta({ examples: [{ depth: 3, account: { id: 'a-31337', type: 'Account' } }] });

/** Returns why parameters cannot be sent, as a clause; undefined if they can. */
export function parametersProblem(parameters: ParameterValues, source: 'query string' | 'body'): string | undefined {
  const isInUrl = source === 'query string';
  const entries = Object.entries(parameters);
  const map = entries.find(([, value]) => typeof value === 'object' && Object.hasOwn(value, 'map'))?.[0];
  if (isInUrl && map !== undefined) return `has the map ${map}, which no query string can carry; set method: post`;
  const mixed = entries.find(([, value]) => Array.isArray(value) && isMixed(value))?.[0];
  if (mixed !== undefined)
    return `has the list ${mixed} of different kinds; use one kind of value, and a type for all or none`;
  const most = isInUrl ? maxQueryString : maxBody;
  const advice = isInUrl ? 'set method: post' : 'pass fewer values';
  return JSON.stringify(parameters).length > most ? `has more than ${most} characters; ${advice}` : undefined;
}

function isMixed(list: readonly unknown[]): boolean {
  const kinds = list.map((one) => (typeof one === 'object' && one !== null ? `vertex ${'type' in one}` : 'value'));
  return new Set(kinds).size > 1;
}
