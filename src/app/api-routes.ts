import { failureReasons } from '../kernel/failure.ts';
import { paged, pageSchema, pagingParameters } from './paging.ts';
import { filtersBy } from './parameters.ts';
import { type CheckReport, type CollectorReport, reportChecks, reportClusters, reportCollectors } from './report.ts';
import type { Route } from './routes.ts';
import type { Site } from './site.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const count = { type: 'integer', minimum: 0 };
const counts = { type: 'object', additionalProperties: count };
const instant = { type: ['string', 'null'], format: 'date-time' };
const seconds = { type: ['number', 'null'] };
const reason = { enum: ['', ...failureReasons] };
const badQuery = { 400: 'A parameter is unknown or out of range.' };

const clusterSchema = {
  type: 'object',
  properties: {
    name: text,
    labels: { type: 'object', additionalProperties: text },
    nodes: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: text,
          address: text,
          state: { enum: ['up', 'down', 'unknown'] },
          since: instant,
          sinceFirstLook: { type: 'boolean' },
          reason,
          message: text,
          sockets: count,
        },
      },
    },
  },
};

const collectorSchema = {
  type: 'object',
  properties: {
    cluster: text,
    node: text,
    collector: text,
    scope: { enum: ['node', 'cluster'] },
    state: { enum: ['good', 'failing', 'waiting'] },
    source: text,
    reason,
    message: text,
    since: instant,
    lastReading: instant,
    lastSuccess: instant,
    durationSeconds: seconds,
    intervalSeconds: seconds,
    series: count,
    seriesDropped: count,
    failures: counts,
    skipped: counts,
    sourceSwitches: count,
  },
};

const checkSchema = {
  type: 'object',
  properties: {
    cluster: text,
    check: text,
    graph: text,
    partition: text,
    engine: text,
    passed: { type: 'boolean' },
    unsyncedEntries: { ...number, type: ['number', 'null'] },
    lastRun: instant,
  },
};

/** The lists for scripts and for the status page. */
export function apiRoutes(site: Site): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/clusters',
      about: 'The watched clusters and the state of their nodes.',
      parameters: [{ name: 'name', about: 'Only the cluster of this name.', schema: text }, ...pagingParameters],
      gives: { type: 'application/json', schema: pageSchema(clusterSchema) },
      problems: badQuery,
      handle: async ({ query }) => paged(reportClusters(site), query, { name: (cluster) => cluster.name }),
    },
    {
      method: 'GET',
      path: '/api/v1/collectors',
      about: 'How each collector is doing, on each node.',
      parameters: [...filtersBy(Object.keys(collectorFilters), collectorSchema.properties), ...pagingParameters],
      gives: { type: 'application/json', schema: pageSchema(collectorSchema) },
      problems: badQuery,
      handle: async ({ query }) => paged(reportCollectors(site), query, collectorFilters),
    },
    {
      method: 'GET',
      path: '/api/v1/checks',
      about: 'The last verdicts of the consistency checks.',
      parameters: [...filtersBy(Object.keys(checkFilters), checkSchema.properties), ...pagingParameters],
      gives: { type: 'application/json', schema: pageSchema(checkSchema) },
      problems: badQuery,
      handle: async ({ query }) => paged(reportChecks(site), query, checkFilters),
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

const checkFilters: Readonly<Record<string, (item: CheckReport) => string>> = {
  cluster: (item) => item.cluster,
  check: (item) => item.check,
  graph: (item) => item.graph,
  passed: (item) => String(item.passed),
};
