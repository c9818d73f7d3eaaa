import type { OutgoingReply } from '../kernel/listener.ts';
import type { Store } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import type { PartitionView, ReplicaView } from '../model/transition.ts';
import { tables, transitionOf } from '../track/rows.ts';
import { availabilityReports, availabilitySchema } from './availability-report.ts';
import { paged, pageOf, pageSchema, pagingParameters } from './paging.ts';
import { filtersBy, type Parameter } from './parameters.ts';
import { json, problem } from './reply.ts';
import type { Route } from './routes.ts';
import { momentOf, reportTransition, timelineColumns, timelineConditions } from './timeline.ts';

/** What the routes of the tracker look at. */
export interface TrackerDesk {
  readonly store: Store;
  /** Of all clusters. */
  views(): { readonly replicas: readonly ReplicaView[]; readonly partitions: readonly PartitionView[] };
  now(): Instant;
}

const text = { type: 'string' };
const flag = { type: 'boolean' };
const instant = { type: 'string', format: 'date-time' };
const identity = { cluster: text, service: text, partition: text, replica: text };
const badQuery = { 400: 'A parameter is unknown or out of range.' };
const unreadable = { ...badQuery, 503: 'What was stored cannot be read.' };
const usualWindow = '30d';
const mostRows = 100_000;

const serviceSchema = {
  type: 'object',
  properties: {
    ...identity,
    status: text,
    since: instant,
    confirmed: text,
    confirmedSince: instant,
    process: text,
    flapping: flag,
    disputed: flag,
  },
};

const transitionSchema = {
  type: 'object',
  properties: {
    at: instant,
    ...identity,
    from: text,
    to: text,
    lastedSeconds: { type: ['number', 'null'] },
    process: text,
    source: text,
    eventId: text,
    eventNs: text,
  },
};

const moment = 'a length of time before now such as 24h, or a moment such as 2026-01-31T12:00:00Z';

/** What every service did and since when. */
export function trackerRoutes(desk: TrackerDesk): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/services',
      about: 'Every service instance: its observed status, and the one that is confirmed, which alerts go by.',
      parameters: [...filtersBy(Object.keys(serviceFilters), serviceSchema.properties), ...pagingParameters],
      gives: { type: 'application/json', schema: pageSchema(serviceSchema) },
      problems: badQuery,
      handle: async ({ query }) => paged(desk.views().replicas.map(reportService), query, serviceFilters),
    },
    {
      method: 'GET',
      path: '/api/v1/transitions',
      about: 'Observed changes of status, the newest first.',
      parameters: [
        ...filtersBy(Object.keys(timelineColumns), transitionSchema.properties),
        filter('since', `Only those from then on: ${moment}.`),
        filter('until', `Only those before then: ${moment}.`),
        ...pagingParameters,
      ],
      gives: { type: 'application/json', schema: pageSchema(transitionSchema) },
      problems: unreadable,
      handle: ({ query }) => transitions(desk, query),
    },
    {
      method: 'GET',
      path: '/api/v1/availability',
      about: 'How available each service instance and each partition was, and how long it took to recover.',
      parameters: [
        filter('since', `Where to begin: ${moment}; ${usualWindow} when absent.`),
        ...filtersBy(Object.keys(availabilityFilters), availabilitySchema.properties),
        ...pagingParameters,
      ],
      gives: { type: 'application/json', schema: pageSchema(availabilitySchema) },
      problems: unreadable,
      handle: ({ query }) => availability(desk, query),
    },
  ];
}

async function transitions(desk: TrackerDesk, query: URLSearchParams): Promise<OutgoingReply> {
  const page = pageOf(query);
  if (!page.ok) return problem(400, page.error);
  const where = timelineConditions(query, desk.now().wall);
  if (!where.ok) return problem(400, where.error);
  const question = { table: tables.transitions, where: where.value };
  const order = ['-at', 'cluster', 'service', 'partition', 'replica'];
  const [total, rows] = await Promise.all([
    desk.store.count(question),
    desk.store.find({ ...question, order, ...page.value }),
  ]);
  if (!total.ok) return problem(503, total.error);
  if (!rows.ok) return problem(503, rows.error);
  const items = rows.value.map(transitionOf).filter((one) => one !== undefined);
  return json({ items: items.map(reportTransition), total: total.value, ...page.value });
}

async function availability(desk: TrackerDesk, query: URLSearchParams): Promise<OutgoingReply> {
  const to = desk.now().wall;
  const from = momentOf('since', query.get('since') ?? usualWindow, to);
  if (!from.ok) return problem(400, from.error);
  const narrow = ['cluster', 'service']
    .filter((name) => query.has(name))
    .map((column) => ({ column, is: '=', value: query.get(column) }) as const);
  const rows = await desk.store.find({
    table: tables.transitions,
    where: [...narrow, { column: 'at', is: '>=', value: from.value }],
    order: ['at'],
    limit: mostRows + 1,
  });
  if (!rows.ok) return problem(503, rows.error);
  if (rows.value.length > mostRows) {
    return problem(
      400,
      `There are more than ${mostRows} transitions since then: ask for one service, or for less time.`,
    );
  }
  const rest = new URLSearchParams([...query].filter(([name]) => name !== 'since'));
  const found = rows.value.map(transitionOf).filter((one) => one !== undefined);
  return paged(availabilityReports(found, desk.views().replicas, { from: from.value, to }), rest, availabilityFilters);
}

interface ServiceReport {
  readonly cluster: string;
  readonly service: string;
  readonly partition: string;
  readonly replica: string;
  readonly status: string;
  readonly since: string;
  readonly confirmed: string;
  readonly confirmedSince: string;
  readonly process: string;
  readonly flapping: boolean;
  readonly disputed: boolean;
}

function reportService(view: ReplicaView): ServiceReport {
  const { cluster, service, partition, replica, process, flapping, disputed } = view;
  return {
    cluster,
    service,
    partition,
    replica,
    status: view.observed,
    since: new Date(view.observedSince).toISOString(),
    confirmed: view.hard,
    confirmedSince: new Date(view.hardSince).toISOString(),
    process,
    flapping,
    disputed,
  };
}

const identityFilters = {
  cluster: (item: { readonly cluster: string }) => item.cluster,
  service: (item: { readonly service: string }) => item.service,
  partition: (item: { readonly partition: string }) => item.partition,
};

const serviceFilters: Readonly<Record<string, (item: ServiceReport) => string>> = {
  ...identityFilters,
  replica: (item) => item.replica,
  status: (item) => item.status,
  confirmed: (item) => item.confirmed,
  flapping: (item) => String(item.flapping),
  disputed: (item) => String(item.disputed),
};

const availabilityFilters: Readonly<Record<string, (item: ReturnType<typeof availabilityReports>[number]) => string>> =
  {
    ...identityFilters,
    of: (item) => item.of,
    replica: (item) => item.replica ?? '',
  };

function filter(name: string, about: string): Parameter {
  return { name, about, schema: text };
}
