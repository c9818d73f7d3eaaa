import { z } from 'zod';
import type { ProbeTask } from '../../../model/probe.ts';
import { limitFields } from '../../custom/settings.ts';
import { type ProbeKind, parametersField, parametersProblem } from '../kind.ts';
import { limitsOf } from '../query-limits.ts';

/** The text of a query, which the server interprets. */
export const interpretedQuery: ProbeKind = {
  name: 'interpreted_query',
  about: 'Runs the text of a query without installing it. Only statements that read are accepted.',
  privilege: 'EXECUTE_QUERY, READ_DATA',
  cost: 'one run of the query, slower than an installed one',
  calls: ['interpretQuery'],
  section: z
    .strictObject({
      statement: z
        .string()
        .describe('Full text of the query: `INTERPRET QUERY () FOR GRAPH …`.')
        .meta({ examples: ['INTERPRET QUERY () FOR GRAPH fraud { all = {ANY}; PRINT all.size() AS vertices; }'] }),
      parameters: parametersField,
      ...limitFields,
    })
    .transform(({ statement, parameters, ...limits }, context): ProbeTask => {
      const problem = parametersProblem(parameters, 'query string')?.replace(
        /; set method: post$/,
        '; use an installed query',
      );
      if (problem === undefined) return { kind: 'interpreted_query', statement, parameters, limits: limitsOf(limits) };
      context.issues.push({ code: 'custom', message: problem, path: ['parameters'], input: '' });
      return z.NEVER;
    }),
};
