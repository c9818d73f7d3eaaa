import { livePageSchema, type MissingClusters } from '../../api/fields.ts';
import { type NotificationReport, notificationSchema } from '../../api/notifications.ts';
import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { ColumnValue, Row, StoreCondition, StoreReader } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import type { NotificationRecord } from '../../model/delivery.ts';
import {
  notificationColumns,
  notificationRow,
  notificationTable,
  parseNotification,
} from '../../notify/outbox/notification-rows.ts';
import { reportNotification } from '../incidents/delivery-report.ts';
import { historyErrors } from './admission.ts';
import { type KnownValues, unknownValue } from './known-values.ts';
import { itemsOf, livePath } from './live-list.ts';
import type { OtherReplicas } from './other-replicas.ts';
import { listErrors, pagingParameters, parsePage } from './paging.ts';
import { filterParameters, rowConditions, timeRangeParameters } from './query-parameters.ts';
import { jsonReply, problemReply } from './reply.ts';
import type { Route } from './routes.ts';

/** Inputs of the route of the delivery log. */
export interface NotificationRouteDependencies {
  readonly history: StoreReader;
  readonly known?: KnownValues;
  /** Absent if no other replica owns clusters. */
  readonly replicas?: OtherReplicas | undefined;
  /** Whether an incident fires or was resolved recently. */
  readonly mayBeIncident: (id: string) => Promise<boolean>;
  /** Notifications that were not attempted yet. */
  readonly unattempted: () => readonly NotificationRecord[];
  readonly now: () => Instant;
}

/** Part of the delivery log, the newest entry first. */
interface NotificationPage {
  readonly items: readonly NotificationReport[];
  /** Number of entries without paging. */
  readonly total: number;
}

/** Returns the route of the delivery log. */
export function notificationRoute(dependencies: NotificationRouteDependencies): Route {
  return {
    method: 'GET',
    path: '/api/v1/notifications',
    admission: 'history',
    about:
      'Lists the notifications and their results: those that were not attempted yet, then the newest result first.',
    parameters: [
      ...filterParameters(Object.keys(notificationColumns), notificationSchema),
      ...timeRangeParameters,
      ...pagingParameters,
    ],
    response: { type: 'application/json', schema: livePageSchema(notificationSchema) },
    errorResponses: { ...listErrors, ...historyErrors },
    handle: (request) => listNotifications(dependencies, request),
  };
}

/** Reads the delivery log from the store. Errors are sentences. */
export async function queryNotifications(
  store: StoreReader,
  where: readonly StoreCondition[],
  page: { readonly limit?: number; readonly offset?: number } = {},
): Promise<Result<NotificationPage, string>> {
  const selection = { table: notificationTable, where };
  const order = ['-at', 'receiver', 'key', 'episode', 'id'];
  const [total, rows] = await Promise.all([store.count(selection), store.find({ ...selection, order, ...page })]);
  if (!total.ok) return total;
  if (!rows.ok) return rows;
  return ok({
    items: rows.value.flatMap((row) => parseNotification(row) ?? []).map(reportNotification),
    total: total.value,
  });
}

async function listNotifications(
  dependencies: NotificationRouteDependencies,
  { query, replica }: IncomingRequest,
): Promise<OutgoingReply> {
  const { history, known = {}, unattempted, replicas, now } = dependencies;
  const page = parsePage(query);
  if (!page.ok) return problemReply(400, page.error);
  const where = rowConditions(query, notificationColumns, now().wall);
  if (!where.ok) return problemReply(400, where.error);
  const { limit, offset } = page.value;
  const own = unattempted().filter((entry) => matchesConditions(notificationRow(entry), where.value));
  const items = own.toSorted((one, other) => other.at - one.at).map(reportNotification);
  if (replicas !== undefined && replica !== undefined) return jsonReply({ clusters: replicas.followed(), items });
  const { others, missing } = await pendingOfOthers(replicas, query);
  const matching = [...items, ...others].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  const pending = matching.slice(offset, offset + limit);
  const rest = { limit: limit - pending.length, offset: Math.max(0, offset - matching.length) };
  const stored = await queryNotifications(history, where.value, rest);
  if (!stored.ok) return problemReply(503, stored.error);
  const total = matching.length + stored.value.total;
  const isEmpty = total === 0 && missing.length === 0;
  const unknown = isEmpty ? (unknownValue(query, known) ?? (await unknownIncident(query, dependencies))) : undefined;
  if (unknown !== undefined) return problemReply(400, unknown);
  const found = { items: [...pending, ...stored.value.items], total, limit, offset };
  return jsonReply({ ...found, ...(missing.length > 0 && { missing }) });
}

/** Returns the sentence for an incident that is not known: an empty list would mean that no receiver was to be notified. */
async function unknownIncident(
  query: URLSearchParams,
  { history, mayBeIncident }: NotificationRouteDependencies,
): Promise<string | undefined> {
  const id = query.get('incident') ?? '';
  if (id === '') return undefined;
  const shown = id.slice(0, 100);
  if (!/^[0-9a-f]{12}-\d+$/.test(id))
    return `'${shown}' is not the ID of an incident; copy it from a notification or from graphwarden alerts --wide.`;
  if (await mayBeIncident(id)) return undefined;
  const { incident: column = '' } = notificationColumns;
  const stored = await history.count({ table: notificationTable, where: [{ column, is: '=', value: id }] });
  if (!stored.ok || stored.value > 0) return undefined;
  return `No incident has the ID '${shown}', or it is over and its notifications are no longer stored.`;
}

/** Notifications that other replicas did not attempt yet. */
async function pendingOfOthers(
  replicas: OtherReplicas | undefined,
  query: URLSearchParams,
): Promise<{ readonly others: readonly NotificationReport[]; readonly missing: readonly MissingClusters[] }> {
  if (replicas?.isShared !== true) return { others: [], missing: [] };
  const path = livePath('/api/v1/notifications', query);
  const cluster = query.get('cluster') ?? undefined;
  const { answers, missing } = await replicas.gather({ path, item: notificationSchema, cluster, hasSelf: true });
  return { others: itemsOf(answers, (item) => item.cluster), missing };
}

function matchesConditions(row: Row, where: readonly StoreCondition[]): boolean {
  return where.every(({ column, is, value }) => comparisons[is](row[column] ?? null, value));
}

const comparisons: Readonly<Record<StoreCondition['is'], (one: ColumnValue, other: ColumnValue) => boolean>> = {
  '=': (one, other) => one === other,
  '<': (one, other) => Number(one) < Number(other),
  '<=': (one, other) => Number(one) <= Number(other),
  '>': (one, other) => Number(one) > Number(other),
  '>=': (one, other) => Number(one) >= Number(other),
};
