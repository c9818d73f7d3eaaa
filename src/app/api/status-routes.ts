import {
  type CheckReport,
  type CheckRunReport,
  type CollectorReport,
  checkRunSchema,
  checkSchema,
  clusterSchema,
  collectorSchema,
} from '../../api/clusters.ts';
import { livePageSchema } from '../../api/fields.ts';
import type { KnownValues } from './known-values.ts';
import { liveReply } from './live-list.ts';
import { listErrors, pagingParameters } from './paging.ts';
import { filterParameters, parameter } from './query-parameters.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import type { Route } from './routes.ts';
import { reportCheckRuns, reportChecks, reportClusters, reportCollectors } from './status-report.ts';

/** Returns the lists of clusters, collectors and checks. */
export function statusRoutes(dependencies: RouteDependencies, known: KnownValues): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/clusters',
      about: 'Lists the monitored clusters and the state of their nodes.',
      parameters: [parameter('name', 'Only the cluster with this name.'), ...pagingParameters],
      response: { type: 'application/json', schema: livePageSchema(clusterSchema) },
      errorResponses: listErrors,
      handle: (request) =>
        liveReply(dependencies.replicas, request, {
          path: '/api/v1/clusters',
          item: clusterSchema,
          items: reportClusters(dependencies),
          filters: { name: (cluster) => cluster.name },
          known,
        }),
    },
    {
      method: 'GET',
      path: '/api/v1/collectors',
      about: 'Lists the state of each collector on each node.',
      parameters: [...filterParameters(Object.keys(collectorFilters), collectorSchema), ...pagingParameters],
      response: { type: 'application/json', schema: livePageSchema(collectorSchema) },
      errorResponses: listErrors,
      handle: (request) =>
        liveReply(dependencies.replicas, request, {
          path: '/api/v1/collectors',
          item: collectorSchema,
          items: reportCollectors(dependencies),
          filters: collectorFilters,
          known,
        }),
    },
    ...checkRoutes(dependencies, known),
  ];
}

function checkRoutes(dependencies: RouteDependencies, known: KnownValues): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/checks',
      about: 'Lists the latest results of the consistency checks.',
      parameters: [...filterParameters(Object.keys(checkFilters), checkSchema), ...pagingParameters],
      response: { type: 'application/json', schema: livePageSchema(checkSchema) },
      errorResponses: listErrors,
      handle: (request) =>
        liveReply(dependencies.replicas, request, {
          path: '/api/v1/checks',
          item: checkSchema,
          items: reportChecks(dependencies),
          filters: checkFilters,
          known,
        }),
    },
    {
      method: 'GET',
      path: '/api/v1/checks/runs',
      about: 'Lists the latest runs of each consistency check since the start, the latest first.',
      parameters: [...filterParameters(Object.keys(checkRunFilters), checkRunSchema), ...pagingParameters],
      response: { type: 'application/json', schema: livePageSchema(checkRunSchema) },
      errorResponses: listErrors,
      handle: (request) =>
        liveReply(dependencies.replicas, request, {
          path: '/api/v1/checks/runs',
          item: checkRunSchema,
          items: reportCheckRuns(dependencies),
          filters: checkRunFilters,
          known,
          compare: (one, other) => newestFirst(one.endedAt, other.endedAt),
        }),
    },
  ];
}

/** Compares two timestamps. */
function newestFirst(one: string, other: string): number {
  return one < other ? 1 : one > other ? -1 : 0;
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
