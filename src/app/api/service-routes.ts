import { pageSchema } from '../../api/fields.ts';
import {
  type AvailabilityReport,
  availabilitySchema,
  type ServiceReport,
  serviceSchema,
  type TransitionReport,
  transitionSchema,
} from '../../api/services.ts';
import type { OutgoingReply } from '../../kernel/listener.ts';
import type { Store } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import type { ReplicaId, ReplicaView, Transition } from '../../model/transition.ts';
import { availabilityOf, partitionSpans, type StatusSpan, spansOf, type TimeWindow } from '../../track/availability.ts';
import { parseTransition, tables } from '../../track/rows.ts';
import { listErrors, pagedReply, pagingParameters, parsePage } from './paging.ts';
import { filterParameters, parameter, parseTimestamp, rowConditions, timeRangeParameters } from './query-parameters.ts';
import { jsonReply, problemReply } from './reply.ts';
import type { Route } from './routes.ts';

/** Inputs of the routes of the tracker. */
export interface ServiceRouteDependencies {
  readonly store: Store;
  /** Replicas of all clusters. */
  readonly views: () => { readonly replicas: readonly ReplicaView[] };
  readonly now: () => Instant;
}

const storeErrors = { ...listErrors, 503: 'The state database cannot be read.' };
const defaultTimeRange = '30d';
const maxRows = 100_000;

/** Columns of the stored transitions, by query parameter. */
export const transitionColumns: Readonly<Record<string, string>> = {
  cluster: 'cluster',
  service: 'service',
  partition: 'partition',
  replica: 'replica',
  from: 'from_status',
  to: 'to_status',
};

/** Returns the lists of services, transitions and availability. */
export function serviceRoutes(dependencies: ServiceRouteDependencies): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/services',
      about: 'Lists the service instances with their observed and confirmed status.',
      parameters: [...filterParameters(Object.keys(serviceFilters), serviceSchema), ...pagingParameters],
      response: { type: 'application/json', schema: pageSchema(serviceSchema) },
      errorResponses: listErrors,
      handle: async ({ query }) => pagedReply(dependencies.views().replicas.map(reportService), query, serviceFilters),
    },
    {
      method: 'GET',
      path: '/api/v1/transitions',
      about: 'Lists the observed status changes, the newest first.',
      parameters: [
        ...filterParameters(Object.keys(transitionColumns), transitionSchema),
        ...timeRangeParameters,
        ...pagingParameters,
      ],
      response: { type: 'application/json', schema: pageSchema(transitionSchema) },
      errorResponses: storeErrors,
      handle: ({ query }) => listTransitions(dependencies, query),
    },
    {
      method: 'GET',
      path: '/api/v1/availability',
      about: 'Lists the availability of each replica and each partition, with outages and mean time to recover.',
      parameters: [
        parameter('since', `Start of the time range: a duration before now or a time; default ${defaultTimeRange}.`),
        ...filterParameters(Object.keys(availabilityFilters), availabilitySchema),
        ...pagingParameters,
      ],
      response: { type: 'application/json', schema: pageSchema(availabilitySchema) },
      errorResponses: storeErrors,
      handle: ({ query }) => listAvailability(dependencies, query),
    },
  ];
}

async function listTransitions(
  { store, now }: ServiceRouteDependencies,
  query: URLSearchParams,
): Promise<OutgoingReply> {
  const page = parsePage(query);
  if (!page.ok) return problemReply(400, page.error);
  const where = rowConditions(query, transitionColumns, now().wall);
  if (!where.ok) return problemReply(400, where.error);
  const selection = { table: tables.transitions, where: where.value };
  const order = ['-at', 'cluster', 'service', 'partition', 'replica'];
  const [total, rows] = await Promise.all([store.count(selection), store.find({ ...selection, order, ...page.value })]);
  if (!total.ok) return problemReply(503, total.error);
  if (!rows.ok) return problemReply(503, rows.error);
  const items = rows.value.flatMap((row) => parseTransition(row) ?? []).map(reportTransition);
  return jsonReply({ items, total: total.value, ...page.value });
}

async function listAvailability(
  { store, views, now }: ServiceRouteDependencies,
  query: URLSearchParams,
): Promise<OutgoingReply> {
  const to = now().wall;
  const from = parseTimestamp('since', query.get('since') ?? defaultTimeRange, to);
  if (!from.ok) return problemReply(400, from.error);
  const filters = ['cluster', 'service']
    .filter((name) => query.has(name))
    .map((column) => ({ column, is: '=', value: query.get(column) }) as const);
  const rows = await store.find({
    table: tables.transitions,
    where: [...filters, { column: 'at', is: '>=', value: from.value }],
    order: ['at'],
    limit: maxRows + 1,
  });
  if (!rows.ok) return problemReply(503, rows.error);
  if (rows.value.length > maxRows) {
    const detail = `The time range contains more than ${maxRows} transitions: select one service, or a shorter time range.`;
    return problemReply(400, detail);
  }
  const rest = new URLSearchParams([...query].filter(([name]) => name !== 'since'));
  const transitions = rows.value.flatMap((row) => parseTransition(row) ?? []);
  const reports = availabilityReports(transitions, views().replicas, { from: from.value, to });
  return pagedReply(reports, rest, availabilityFilters);
}

/** Returns a transition as the API shows it. */
export function reportTransition(transition: Transition): TransitionReport {
  const { at, cluster, service, partition, replica, from, to, duration, process, source, eventId, eventNs } =
    transition;
  const event = { process, source, eventId, eventNs };
  const lastedSeconds = duration === undefined ? null : duration / 1000;
  return { at: formatTimestamp(at), cluster, service, partition, replica, from, to, lastedSeconds, ...event };
}

function reportService(view: ReplicaView): ServiceReport {
  const { cluster, service, partition, replica, process, flapping, disputed } = view;
  return {
    cluster,
    service,
    partition,
    replica,
    status: view.observed,
    since: formatTimestamp(view.observedSince),
    confirmed: view.confirmed,
    confirmedSince: formatTimestamp(view.confirmedSince),
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

const availabilityFilters: Readonly<Record<string, (item: AvailabilityReport) => string>> = {
  ...identityFilters,
  kind: (item) => item.kind,
  replica: (item) => item.replica ?? '',
};

/** Returns the availability of every replica and every partition in a time range. `transitions` are the oldest first. */
export function availabilityReports(
  transitions: readonly Transition[],
  views: readonly ReplicaView[],
  window: TimeWindow,
): readonly AvailabilityReport[] {
  const rows = Map.groupBy(transitions, replicaKey);
  const current = new Map(views.map((view) => [replicaKey(view), view]));
  const histories = [...new Set([...current.keys(), ...rows.keys()])].flatMap((key) => {
    const own = rows.get(key) ?? [];
    const view = current.get(key);
    const id = view ?? own[0];
    const last = view === undefined ? undefined : { status: view.observed, since: view.observedSince };
    return id === undefined ? [] : [{ id, spans: spansOf(own, window, last) }];
  });
  const partitions = Map.groupBy(histories, ({ id }) => JSON.stringify([id.cluster, id.service, id.partition]));
  return [...partitions.values()].flatMap((members) => partitionReports(members));
}

interface ReplicaSpans {
  readonly id: ReplicaId;
  readonly spans: readonly StatusSpan[];
}

function partitionReports(members: readonly ReplicaSpans[]): readonly AvailabilityReport[] {
  const [first] = members;
  if (first === undefined) return [];
  const whole = partitionSpans(members.map(({ spans }) => spans));
  return [
    availabilityReport({ ...first.id, replica: null }, whole),
    ...members.map(({ id, spans }) => availabilityReport(id, spans)),
  ];
}

function availabilityReport(
  id: Omit<ReplicaId, 'replica'> & { readonly replica: string | null },
  spans: readonly StatusSpan[],
): AvailabilityReport {
  const { cluster, service, partition, replica } = id;
  const { observed, online, outages, timeToRecover } = availabilityOf(spans);
  return {
    kind: replica === null ? 'partition' : 'replica',
    cluster,
    service,
    partition,
    replica,
    observedSeconds: observed / 1000,
    onlineSeconds: online / 1000,
    availability: observed === 0 ? null : online / observed,
    outages,
    meanTimeToRecoverSeconds: timeToRecover === undefined ? null : timeToRecover / 1000,
  };
}

function replicaKey({ cluster, service, partition, replica }: ReplicaId): string {
  return JSON.stringify([cluster, service, partition, replica]);
}
