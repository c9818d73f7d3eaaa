import { z } from 'zod';
import type { ProbeTask } from '../../../model/probe.ts';
import { type ProbeKind, selectField, typeName, vertexId } from '../kind.ts';

/** Edges of a vertex. */
export const edges: ProbeKind = {
  name: 'edges',
  about: 'Reads edges of a vertex: all, of one type, to one type of vertices, or to one vertex.',
  privilege: 'READ_DATA',
  cost: 'one read of at most `limit` edges; without a limit, of all edges of the vertex',
  calls: ['edges', 'edgesOfType', 'edgesToType', 'edgesToVertex'],
  section: z
    .strictObject({
      source_type: typeName.describe('Type of the source vertex.').meta({ examples: ['Account'] }),
      source_id: vertexId.describe('Id of the source vertex.').meta({ examples: ['a-31337'] }),
      edge_type: typeName
        .optional()
        .describe('Type of the edges; all if omitted.')
        .meta({ examples: ['transfer'] }),
      target_type: typeName.optional().describe('Type of the target vertices; requires `edge_type`.'),
      target_id: vertexId.optional().describe('Id of the target vertex; requires `target_type`.'),
      limit: z
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe('Maximum number of edges; cannot be combined with `target_id`.')
        .meta({ examples: [10] }),
      select: selectField,
    })
    .transform((given, context): ProbeTask => {
      const { source_type: type, source_id: id, edge_type: edgeType, target_type: targetType } = given;
      const { target_id: targetId, limit, select } = given;
      const problem = selectionProblem(given);
      if (problem !== undefined) {
        context.issues.push({ code: 'custom', message: problem[1], path: [problem[0]], input: '' });
        return z.NEVER;
      }
      const selection = {
        source: { type, id },
        ...(edgeType === undefined ? {} : { edgeType }),
        ...(targetType === undefined ? {} : { targetType }),
        ...(targetId === undefined ? {} : { targetId }),
        ...(limit === undefined ? {} : { limit }),
      };
      return { kind: 'edges', selection, select };
    }),
};

interface GivenSelection {
  readonly edge_type?: string | undefined;
  readonly target_type?: string | undefined;
  readonly target_id?: string | undefined;
  readonly limit?: number | undefined;
}

function selectionProblem(given: GivenSelection): readonly [key: string, message: string] | undefined {
  if (given.target_type !== undefined && given.edge_type === undefined) {
    return ['target_type', 'requires edge_type, which precedes it in the path; set edge_type'];
  }
  if (given.target_id === undefined) return undefined;
  if (given.target_type === undefined) return ['target_id', 'requires target_type; set the type of this vertex'];
  return given.limit === undefined ? undefined : ['limit', 'is not possible with target_id; remove one of them'];
}
