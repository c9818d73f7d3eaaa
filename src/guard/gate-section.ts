import { z } from 'zod';
import { durationField } from '../graphdb/duration-field.ts';
import { countBound, loadBound, waitBound } from './bound-fields.ts';
import type { Gate, GateClause, GateSource } from './policy.ts';

const sources: readonly GateSource[] = ['node_memory', 'node_cpu', 'queue_depth', 'queue_oldest'];

const clauseSection = z
  .strictObject({
    for: durationField
      .describe('How long each reading has had to say so: at least two intervals of its collector.')
      .meta({ examples: ['1m'] }),
    node_memory: loadBound.optional().describe("Share of the node's memory that is used."),
    node_cpu: loadBound.optional().describe("Share of the node's CPU that is used."),
    queue_depth: countBound
      .optional()
      .describe('Queries that wait on the node.')
      .meta({ examples: ['> 20'] }),
    queue_oldest: waitBound.optional().describe('How long the oldest of them has waited.'),
  })
  .transform((given, context): GateClause => {
    const clauses = sources.flatMap((source) => {
      const bound = given[source];
      return bound === undefined ? [] : [{ source, bound, hold: given.for }];
    });
    const [clause] = clauses;
    if (clause !== undefined && clauses.length === 1) return clause;
    const message = `needs exactly one of ${sources.join(', ')}`;
    context.issues.push({ code: 'custom', message, input: '' });
    return z.NEVER;
  });

const clausesField = z.array(clauseSection).min(1).optional();

/** The pressure that a policy waits for. */
export const gateSection = z
  .strictObject({
    any: clausesField.describe('Pressures of which one is enough.'),
    all: clausesField.describe('Pressures that are all needed.'),
  })
  .transform(({ any, all }, context): Gate => {
    if (any !== undefined && all === undefined) return { needs: 'any', clauses: any };
    if (all !== undefined && any === undefined) return { needs: 'all', clauses: all };
    context.issues.push({ code: 'custom', message: 'needs either any or all', input: '' });
    return z.NEVER;
  })
  .describe('Pressure that has to be there as well. A reading that is stale, or of no node that is known, is none.');
