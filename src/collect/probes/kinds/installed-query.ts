import { z } from 'zod';
import type { ProbeTask } from '../../../model/probe.ts';
import { limitFields, queryName } from '../../custom/settings.ts';
import { type ProbeKind, parametersField, parametersProblem } from '../kind.ts';
import { limitsOf } from '../query-limits.ts';

/** An installed query, as clients run it. */
export const installedQuery: ProbeKind = {
  name: 'installed_query',
  about: 'Runs an installed query, with GET or POST.',
  privilege: 'EXECUTE_QUERY, READ_DATA',
  cost: 'one run of the query',
  calls: ['runQuery', 'postQuery'],
  section: z
    .strictObject({
      query: queryName.describe('Name of the installed query to run.').meta({ examples: ['ring_scan'] }),
      method: z
        .enum(['get', 'post'])
        .prefault('get')
        .describe('`get` sends the parameters in the query string, `post` as JSON; a map parameter requires `post`.'),
      parameters: parametersField,
      replica: z
        .int()
        .min(1)
        .max(1000)
        .optional()
        .describe('Replica that runs the query, from 1 to the replication factor; any if omitted.')
        .meta({ examples: [1] }),
      ...limitFields,
    })
    .transform(({ query, method, parameters, ...limits }, context): ProbeTask => {
      const problem = parametersProblem(parameters, method === 'post' ? 'body' : 'query string');
      if (problem === undefined) {
        return { kind: 'installed_query', query, method, parameters, limits: limitsOf(limits) };
      }
      context.issues.push({ code: 'custom', message: problem, path: ['parameters'], input: '' });
      return z.NEVER;
    }),
};
