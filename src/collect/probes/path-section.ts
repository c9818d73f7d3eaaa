import { z } from 'zod';
import type { PathSearch } from '../../model/probe.ts';
import { typeName } from './kind.ts';

const pathVertex = z.strictObject({
  type: typeName.describe('Type of the vertex.').meta({ examples: ['Account'] }),
  id: z
    .union([z.string().min(1).max(512), z.int()], { error: 'must be the id of a vertex: a text or a whole number' })
    .transform(String)
    .describe('Id of the vertex; never exposed in a label, log line or span.')
    .meta({ examples: ['a-31337'] }),
});

const pathFilter = z
  .strictObject({
    type: typeName.describe('Type of the vertices or edges that a path may contain.'),
    condition: z
      .string()
      .regex(/^[^\p{Cc};]{1,500}$/u, { error: 'must be one condition of 1 to 500 characters, such as amount > 100' })
      .optional()
      .describe('Condition on one attribute; `and` and `or` combine conditions.')
      .meta({ examples: ['amount > 100'] }),
  })
  .transform(({ type, condition }) => ({ type, ...(condition === undefined ? {} : { condition }) }));

/** Keys of a search for paths; the length is a key of each kind. */
export const pathFields = {
  sources: z.array(pathVertex).min(1).max(20).describe('Vertices at which a path begins.'),
  targets: z.array(pathVertex).min(1).max(20).describe('Vertices at which a path ends.'),
  vertex_filters: z
    .array(pathFilter)
    .max(20)
    .prefault([])
    .describe('Vertices that a path may contain; any if omitted.'),
  edge_filters: z.array(pathFilter).max(20).prefault([]).describe('Edges that a path may contain; any if omitted.'),
};

/** Longest path that a probe may search: the cost grows with every edge. */
export const pathLength = z.int().min(1).max(10);

/** Values of {@link pathFields}. */
type GivenPath = Pick<PathSearch, 'sources' | 'targets'> & {
  readonly vertex_filters: PathSearch['vertexFilters'];
  readonly edge_filters: PathSearch['edgeFilters'];
};

/** Returns the search without its length. */
export function searchOf({
  sources,
  targets,
  vertex_filters: vertexFilters,
  edge_filters: edgeFilters,
}: GivenPath): PathSearch {
  return { sources, targets, vertexFilters, edgeFilters };
}
