import { z } from 'zod';
import type { ProbeTask } from '../../../model/probe.ts';
import { type ProbeKind, selectField, typeName, vertexId } from '../kind.ts';

/** One vertex by its id. */
export const vertex: ProbeKind = {
  name: 'vertex',
  about: 'Reads one vertex by its type and id.',
  privilege: 'READ_DATA',
  cost: 'one read',
  calls: ['vertex'],
  section: z
    .strictObject({
      type: typeName.describe('Type of the vertex.').meta({ examples: ['Account'] }),
      id: vertexId
        .describe('Id of the vertex; never exposed in a label, log line or span.')
        .meta({ examples: ['a-31337'] }),
      select: selectField,
    })
    .transform(({ type, id, select }): ProbeTask => ({ kind: 'vertex', vertex: { type, id }, select })),
};
