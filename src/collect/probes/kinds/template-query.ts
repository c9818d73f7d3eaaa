import { z } from 'zod';
import type { ProbeTask } from '../../../model/probe.ts';
import { type ProbeKind, parametersField, parametersProblem } from '../kind.ts';

const templateName = z.string().regex(/^[A-Za-z_][\w-]{0,63}(?:\.[\w-]{1,64}){0,5}$/, {
  error: 'must be the name of a template query, such as GDBMS_ALGO.centrality.pagerank',
});

/** A query of the library of the server. */
export const templateQuery: ProbeKind = {
  name: 'template_query',
  about: 'Runs a template query of the library of the server.',
  privilege: 'EXECUTE_QUERY, READ_DATA; CREATE_QUERY and INSTALL_QUERY for the first run, which installs the query',
  cost: 'one run of the algorithm on the whole graph: use a long interval',
  calls: ['templateQuery'],
  section: z
    .strictObject({
      template: templateName
        .describe('Name of the template, including its packages.')
        .meta({ examples: ['GDBMS_ALGO.centrality.closeness_cent'] }),
      parameters: parametersField,
    })
    .transform(({ template, parameters }, context): ProbeTask => {
      const problem = parametersProblem(parameters, 'body');
      if (problem === undefined) return { kind: 'template_query', template, parameters };
      context.issues.push({ code: 'custom', message: problem, path: ['parameters'], input: '' });
      return z.NEVER;
    }),
};
