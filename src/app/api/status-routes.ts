import {
  type CheckReport,
  type CheckRunReport,
  type CollectorReport,
  checkRunSchema,
  checkSchema,
  clusterSchema,
  collectorSchema,
} from '../../api/clusters.ts';
import { pageSchema } from '../../api/fields.ts';
import type { KnownValues } from './known-values.ts';
import { listErrors, pagedReply, pagingParameters } from './paging.ts';
import { filterParameters, parameter } from './query-parameters.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import type { Route } from './routes.ts';
import { reportCheckRuns, reportChecks, reportClusters, reportCollectors } from './status-report.ts';

/** Returns the lists of clusters, collectors and checks. */
export function statusRoutes(site: RouteDependencies, known: KnownValues): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/clusters',
      about: 'Lists the monitored clusters and the state of their nodes.',
      parameters: [parameter('name', 'Only the cluster with this name.'), ...pagingParameters],
      response: { type: 'application/json', schema: pageSchema(clusterSchema) },
      errorResponses: listErrors,
      handle: async ({ query }) => pagedReply(reportClusters(site), query, { name: (cluster) => cluster.name }, known),
    },
    {
      method: 'GET',
      path: '/api/v1/collectors',
      about: 'Lists the state of each collector on each node.',
      parameters: [...filterParameters(Object.keys(collectorFilters), collectorSchema), ...pagingParameters],
      response: { type: 'application/json', schema: pageSchema(collectorSchema) },
      errorResponses: listErrors,
      handle: async ({ query }) => pagedReply(reportCollectors(site), query, collectorFilters, known),
    },
    {
      method: 'GET',
      path: '/api/v1/checks',
      about: 'Lists the latest results of the consistency checks.',
      parameters: [...filterParameters(Object.keys(checkFilters), checkSchema), ...pagingParameters],
      response: { type: 'application/json', schema: pageSchema(checkSchema) },
      errorResponses: listErrors,
      handle: async ({ query }) => pagedReply(reportChecks(site), query, checkFilters, known),
    },
    {
      method: 'GET',
      path: '/api/v1/checks/runs',
      about: 'Lists the latest runs of each consistency check since the start, the latest first.',
      parameters: [...filterParameters(Object.keys(checkRunFilters), checkRunSchema), ...pagingParameters],
      response: { type: 'application/json', schema: pageSchema(checkRunSchema) },
      errorResponses: listErrors,
      handle: async ({ query }) => pagedReply(reportCheckRuns(site), query, checkRunFilters, known),
    },
  ];
}

const collectorFilters: Readonly<Record<string, (item: CollectorReport) => string>> = {
  cluster: (item) => item.cluster,
  node: (item) => item.node,
  collector: (item) => item.collector,
  scope: (item) => item.scope,
  state: (item) => item.state,
  reason: (item) => item.reason,
};

const checkRunFilters: Readonly<Record<string, (item: CheckRunReport) => string>> = {
  cluster: (item) => item.cluster,
  check: (item) => item.check,
  verdict: (item) => item.verdict,
};

const checkFilters: Readonly<Record<string, (item: CheckReport) => string>> = {
  cluster: (item) => item.cluster,
  check: (item) => item.check,
  graph: (item) => item.graph,
  passed: (item) => String(item.passed),
};
