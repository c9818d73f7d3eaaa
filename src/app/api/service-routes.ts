import { livePageSchema, pageSchema } from '../../api/fields.ts';
import {
  type AvailabilityReport,
  availabilitySchema,
  type ServiceReport,
  serviceSchema,
  type TransitionReport,
  transitionSchema,
} from '../../api/services.ts';
import type { OutgoingReply } from '../../kernel/listener.ts';
import type { HistoryReader } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import type { ReplicaView, Transition } from '../../model/transition.ts';
import {
  type AvailabilityInput,
  type AvailabilityRow,
  availabilitySummary,
  parseAvailability,
  summaryRows,
} from '../../track/availability-summary.ts';
import { parseTransition, tables } from '../../track/rows.ts';
import { historyErrors } from './admission.ts';
import { type KnownValues, unknownValue } from './known-values.ts';
import { type LiveList, liveItems, liveReply } from './live-list.ts';
import type { OtherReplicas } from './other-replicas.ts';
import { filterItems, listErrors, pageOf, pagingParameters, parsePage } from './paging.ts';
import { filterParameters, parameter, parseTimestamp, rowConditions, timeRangeParameters } from './query-parameters.ts';
import { jsonReply, problemReply } from './reply.ts';
import type { Route } from './routes.ts';

/** Inputs of the routes of the tracker. */
export interface ServiceRouteDependencies {
  readonly history: HistoryReader;
  /** Replicas of all clusters. */
  readonly views: () => { readonly replicas: readonly ReplicaView[] };
  readonly known?: KnownValues;
  /** Absent if no other replica owns clusters. */
  readonly replicas?: OtherReplicas | undefined;
  readonly now: () => Instant;
}

const storeErrors = { ...listErrors, ...historyErrors };
const defaultTimeRange = '30d';

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
      response: { type: 'application/json', schema: livePageSchema(serviceSchema) },
      errorResponses: listErrors,
      handle: (request) => liveReply(dependencies.replicas, request, serviceList(dependencies)),
    },
    {
      method: 'GET',
      path: '/api/v1/transitions',
      admission: 'history',
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
      admission: 'history',
      about: 'Lists the availability of each replica and each partition, with outages and mean time to recover.',
      parameters: [
        parameter('since', `Start of the time range: a duration before now or a time; default ${defaultTimeRange}.`),
        ...filterParameters(Object.keys(availabilityFilters), availabilitySchema),
        ...pagingParameters,
      ],
      response: { type: 'application/json', schema: livePageSchema(availabilitySchema) },
      errorResponses: storeErrors,
      handle: ({ query }) => listAvailability(dependencies, query),
    },
  ];
}

function serviceList({ views, known }: ServiceRouteDependencies): LiveList<ServiceReport> {
  const items = views().replicas.map(reportService);
  return { path: '/api/v1/services', item: serviceSchema, items, filters: serviceFilters, known };
}

async function listTransitions(
  { history, known = {}, now }: ServiceRouteDependencies,
  query: URLSearchParams,
): Promise<OutgoingReply> {
  const page = parsePage(query);
  if (!page.ok) return problemReply(400, page.error);
  const where = rowConditions(query, transitionColumns, now().wall);
  if (!where.ok) return problemReply(400, where.error);
  const selection = { table: tables.transitions, where: where.value };
  const order = ['-at', 'cluster', 'service', 'partition', 'replica'];
  const [total, rows] = await Promise.all([
    history.count(selection),
    history.find({ ...selection, order, ...page.value }),
  ]);
  if (!total.ok) return problemReply(503, total.error);
  if (!rows.ok) return problemReply(503, rows.error);
  const problem = total.value === 0 ? unknownValue(query, known) : undefined;
  if (problem !== undefined) return problemReply(400, problem);
  const items = rows.value.flatMap((row) => parseTransition(row) ?? []).map(reportTransition);
  return jsonReply({ items, total: total.value, ...page.value });
}

async function listAvailability(
  dependencies: ServiceRouteDependencies,
  query: URLSearchParams,
): Promise<OutgoingReply> {
  const { history, known = {}, now } = dependencies;
  const page = parsePage(query);
  if (!page.ok) return problemReply(400, page.error);
  const to = now().wall;
  const from = parseTimestamp('since', query.get('since') ?? defaultTimeRange, to);
  if (!from.ok) return problemReply(400, from.error);
  const filters = ['cluster', 'service']
    .filter((name) => query.has(name))
    .map((column) => ({ column, is: '=', value: query.get(column) }) as const);
  const selection = {
    table: tables.transitions,
    where: [...filters, { column: 'at', is: '>=', value: from.value } as const],
  };
  const count = await history.count(selection);
  if (!count.ok) return problemReply(503, count.error);
  if (count.value > history.maxSummaryRows) {
    const detail = `The time range contains more than ${history.maxSummaryRows} transitions: select one service, or a shorter time range.`;
    return problemReply(400, detail);
  }
  const one = new URLSearchParams([...query].filter(([name]) => name === 'cluster'));
  const services = await liveItems(dependencies.replicas, one, serviceList(dependencies));
  if (!services.ok) return problemReply(400, services.error);
  const { items: present, missing } = services.value;
  const input: AvailabilityInput = { window: { from: from.value, to }, replicas: present.map(currentStatus) };
  const rows = await history.summarize(availabilitySummary, { ...selection, ...summaryRows }, input);
  if (!rows.ok) return problemReply(503, rows.error);
  const rest = new URLSearchParams([...query].filter(([name]) => name !== 'since'));
  const found = filterItems(parseAvailability(rows.value).map(reportAvailability), rest, availabilityFilters);
  if (!found.ok) return problemReply(400, found.error);
  const problem = found.value.length === 0 && missing.length === 0 ? unknownValue(rest, known) : undefined;
  if (problem !== undefined) return problemReply(400, problem);
  return jsonReply({ ...pageOf(found.value, page.value), ...(missing.length > 0 && { missing }) });
}

function currentStatus(report: ServiceReport): AvailabilityInput['replicas'][number] {
  const { cluster, service, partition, replica, status, since } = report;
  return { cluster, service, partition, replica, status, since: Date.parse(since) };
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

function reportAvailability(row: AvailabilityRow): AvailabilityReport {
  const { cluster, service, partition, replica, observed, online, outages, time_to_recover: timeToRecover } = row;
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
    meanTimeToRecoverSeconds: timeToRecover === null ? null : timeToRecover / 1000,
  };
}
