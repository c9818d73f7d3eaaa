import { paged, pageSchema, pagingParameters } from './paging.ts';
import { filtersBy } from './parameters.ts';
import { type QueryReport, reportQueries } from './query-report.ts';
import type { Route } from './routes.ts';
import type { Site } from './site.ts';

const text = { type: 'string' };
const seconds = { type: ['number', 'null'] };
const instant = { type: ['string', 'null'], format: 'date-time' };

const querySchema = {
  type: 'object',
  properties: {
    cluster: text,
    node: text,
    state: { enum: ['running', 'delayed'] },
    id: text,
    graph: text,
    query: text,
    kind: { enum: ['installed', 'interpreted', 'builtin'] },
    ageSeconds: seconds,
    grantedTimeoutSeconds: seconds,
    remainingSeconds: seconds,
    overdue: { type: 'boolean' },
    asOf: { type: 'string', format: 'date-time' },
    policy: { type: ['string', 'null'] },
    matchesAt: instant,
    abortAt: instant,
    protected: { type: ['boolean', 'null'] },
  },
};

const filters: Readonly<Record<string, (item: QueryReport) => string>> = {
  cluster: (item) => item.cluster,
  node: (item) => item.node,
  state: (item) => item.state,
  id: (item) => item.id,
  graph: (item) => item.graph,
  query: (item) => item.query,
  kind: (item) => item.kind,
  overdue: (item) => String(item.overdue),
  policy: (item) => item.policy ?? '',
};

/** `/api/v1/queries`: what runs and waits on all nodes, as of their latest lists; asks no node. */
export function queriesRoute(site: Site): Route {
  const parameters = filtersBy(Object.keys(filters), querySchema.properties).map((one) =>
    one.name === 'policy' ? { ...one, about: 'Only those whose policy is this; empty: those without.' } : one,
  );
  return {
    method: 'GET',
    path: '/api/v1/queries',
    about:
      'The queries that run or wait, by the latest list of each node, the oldest first, with the policy of the guard ' +
      'that matches each, since when or from when on, and when it may abort it, or would, at the earliest. Never with ' +
      'their parameters.',
    parameters: [...parameters, ...pagingParameters],
    gives: { type: 'application/json', schema: pageSchema(querySchema) },
    problems: { 400: 'A parameter is unknown or out of range.' },
    handle: async ({ query }) => paged(reportQueries(site), query, filters),
  };
}
