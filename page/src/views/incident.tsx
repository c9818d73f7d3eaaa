import { type AlertReport, alertSchema } from '../../../src/api/alerts.ts';
import { pageSchema } from '../../../src/api/fields.ts';
import { type AuditEntry, auditEntrySchema } from '../../../src/api/guard-audit.ts';
import { type NotificationReport, notificationSchema } from '../../../src/api/notifications.ts';
import { transitionSchema } from '../../../src/api/services.ts';
import { historyDelay, listOf, objectOf, RequestError, useData } from '../data.ts';
import { localMoment, queryName, seconds } from '../format.ts';
import { otherIncidents, type PastIncident } from '../incident-history.ts';
import { LoadState } from '../load-state.tsx';
import { type Column, Table, Time } from '../parts.tsx';
import type { SiteData } from '../site.ts';
import { marksOf } from '../timeline-marks.ts';
import { AlertCard } from './alert-card.tsx';
import { EventTable } from './event-table.tsx';

/** Time before an incident whose events may explain it, in ms. */
const leadTime = 300_000;

/** One incident: its alert, notifications, actions of graphwarden, events around it, and other incidents of the alert. */
export function Incident({ id, site }: { readonly id: string; readonly site: SiteData }) {
  const loaded = useData(`incident ${id}`, () => loadIncident(id));
  const { alert, log = [] } = loaded.value ?? {};
  return (
    <>
      <h2>Incident</h2>
      <LoadState loaded={loaded} what="incident" />
      {loaded.value !== undefined && alert === undefined && <Forgotten log={log} now={site.now} />}
      {alert !== undefined && (
        <>
          <AlertCard alert={alert} all={site.alerts.value ?? []} now={site.now} />
          <Place alert={alert} />
          <Around key={id} alert={alert} log={log} site={site} />
        </>
      )}
    </>
  );
}

const page = (path: string) => objectOf(path, pageSchema(notificationSchema));

/** Loads an incident and its entries of the delivery log, which outlive it; without `alert` if it is forgotten. */
async function loadIncident(id: string) {
  const alert = await unlessUnknown(404, objectOf(`/api/v1/incidents/${encodeURIComponent(id)}`, alertSchema)());
  const log = await unlessUnknown(400, page(`/api/v1/notifications?limit=200&incident=${encodeURIComponent(id)}`)());
  return { alert, log: log?.items ?? [] };
}

/** Returns a response, or undefined if it has the status with which the API rejects an unknown incident. */
async function unlessUnknown<T>(status: number, response: Promise<T>): Promise<T | undefined> {
  return response.catch((error: unknown) => {
    if (error instanceof RequestError && error.status === status) return undefined;
    throw error;
  });
}

/** Entries of the delivery log for an incident that was resolved long ago. */
function Forgotten({ log, now }: { readonly log: readonly NotificationReport[]; readonly now: number }) {
  const [last] = log;
  return (
    <>
      <p>
        {last === undefined
          ? 'No incident has this ID, or it was resolved long ago.'
          : `The incident was resolved more than an hour ago. ${last.summary || last.alertname} (${last.cluster || 'graphwarden'})`}
      </p>
      <p>
        <a href="#/alerts">All alerts</a>
      </p>
      {log.length > 0 && <Actions log={log} audit={[]} now={now} />}
    </>
  );
}

/** Location of an incident, with links to related views. */
function Place({ alert: { incident, labels, cluster, startsAt, annotations } }: { readonly alert: AlertReport }) {
  const shown = Object.entries(labels).filter(([name, value]) => value !== '' && !hiddenLabels.has(name));
  const related = (annotations.related_events ?? '').split('\n').filter((line) => line !== '');
  return (
    <section class="card">
      <p class="soft">{shown.map(([name, value]) => `${name}=${value}`).join(' · ')}</p>
      {annotations.current_state !== undefined && annotations.current_state !== '' && (
        <p>{`Now: ${annotations.current_state}`}</p>
      )}
      {related.length > 0 && (
        <>
          <h3>Shortly before or after</h3>
          <ul class="plain">
            {related.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      <p class="soft">
        ID <code>{incident}</code>
      </p>
      <p>
        <a href={`#/timeline?${new URLSearchParams({ ...(cluster === '' ? {} : { cluster }), at: startsAt })}`}>
          Timeline around the incident
        </a>
      </p>
    </section>
  );
}

/** Labels that the card of the alert already shows. */
const hiddenLabels = new Set(['alertname', 'severity', 'cluster_name']);

interface AroundProps {
  readonly alert: AlertReport;
  readonly log: readonly NotificationReport[];
  readonly site: SiteData;
}

/** Actions of graphwarden during an incident, other events meanwhile, and other incidents of the alert. */
function Around({ alert, log, site: { alerts, services, now } }: AroundProps) {
  const around = useData(`around ${alert.incident} ${alert.endsAt}`, () => loadAround(alert), historyDelay);
  const { transitions = [], audit = [], past = [] } = around.value ?? {};
  const from = Date.parse(alert.startsAt) - leadTime;
  const to = alert.endsAt === null ? now : Date.parse(alert.endsAt);
  const others = (alerts.value ?? []).filter(({ incident }) => incident !== alert.incident);
  const facts = { alerts: others, notifications: [], checks: [], services: services.value ?? [], transitions, audit };
  const own = audit.filter(({ kind, subject }) => kind === 'abort' || subject === alert.incident);
  return (
    <>
      <LoadState loaded={around} what="events around the incident" />
      <Actions log={log} audit={own} now={now} />
      <h2>Events around the incident</h2>
      <EventTable
        transitions={transitions}
        marks={marksOf(facts, { from, to }, alert.cluster, now)}
        window={{ from, to }}
        now={now}
      />
      <h2>Other incidents of this alert</h2>
      <Table
        label="Other incidents of this alert"
        columns={pastColumns(now)}
        rows={around.value === undefined ? undefined : otherIncidents(alert, past)}
        keyOf={({ incident }) => incident}
        empty="The delivery log has no other incident of the last 30 days."
      />
    </>
  );
}

/** Loads one list after the other: the daemon limits the requests of one client that read history at the same time. */
async function loadAround({ cluster, labels, startsAt, endsAt }: AlertReport) {
  const since = new Date(Date.parse(startsAt) - leadTime).toISOString();
  const range = new URLSearchParams({
    since,
    ...(endsAt === null ? {} : { until: endsAt }),
    ...(cluster === '' ? {} : { cluster }),
  });
  const { alertname = '' } = labels;
  const same = new URLSearchParams({ since: '30d', alertname, cluster });
  const transitions = await listOf(`/api/v1/transitions?${range}`, transitionSchema)();
  const audit = await listOf(`/api/v1/guard/audit?${range}`, auditEntrySchema)();
  const past = await listOf(`/api/v1/notifications?${same}`, notificationSchema)();
  return { transitions, audit, past };
}

interface ActionsProps {
  readonly log: readonly NotificationReport[];
  readonly audit: readonly AuditEntry[];
  readonly now: number;
}

/** One action: a notification, an abort, or an action of an operator on the incident. */
interface ActionRow {
  readonly at: string;
  readonly what: string;
  readonly result: string;
  readonly isBad: boolean;
}

/** Actions of graphwarden and operators during the incident, the newest first. */
function Actions({ log, audit, now }: ActionsProps) {
  const rows = [...log.map(notificationRow), ...audit.map(auditRow)].toSorted((one, other) =>
    one.at < other.at ? 1 : one.at > other.at ? -1 : 0,
  );
  const columns: readonly Column<ActionRow>[] = [
    { title: 'Time', sort: ({ at }) => at, cell: ({ at }) => <Time at={at} now={now} /> },
    { title: 'Action', sort: ({ what }) => what, cell: ({ what }) => what },
    { title: 'Result', cell: ({ result, isBad }) => <span class={isBad ? 'orange' : 'green'}>{result}</span> },
  ];
  return (
    <>
      <h2>Actions</h2>
      <Table
        label="Actions"
        columns={columns}
        rows={rows}
        keyOf={({ at, what, result }) => [at, what, result].join(' ')}
        empty="No notification was attempted, and no query was aborted."
      />
    </>
  );
}

function notificationRow({
  at,
  action,
  receiver,
  result,
  reason,
  status,
  attempts,
  nextAttemptAt,
}: NotificationReport): ActionRow {
  const details = [
    ...(status === null ? [] : [`status ${status}`]),
    ...(reason === '' ? [] : [reason]),
    ...(attempts > 1 ? [`attempt ${attempts}`] : []),
    ...(nextAttemptAt === null ? [] : [`next attempt ${localMoment(nextAttemptAt, Date.parse(nextAttemptAt))}`]),
  ];
  return {
    at,
    what: `${action} to ${receiver}`,
    result: details.length === 0 ? result : `${result} (${details.join(', ')})`,
    isBad: result !== 'accepted',
  };
}

function auditRow({ kind, at, action, by, reason, query, graph, node, policy, outcome }: AuditEntry): ActionRow {
  if (kind === 'abort') {
    const what = `abort of ${queryName({ query, graph })} on ${node} by ${by || policy}`;
    return { at, what, result: outcome || 'outcome unknown', isBad: outcome !== 'confirmed' };
  }
  return { at, what: `${action} by ${by}`, result: reason === '' ? 'done' : reason, isBad: false };
}

function pastColumns(now: number): readonly Column<PastIncident>[] {
  return [
    { title: 'Began', sort: ({ startsAt }) => startsAt, cell: ({ startsAt }) => <Time at={startsAt} now={now} /> },
    {
      title: 'Lasted',
      cell: ({ startsAt, endsAt }) =>
        endsAt === null ? 'end unknown' : seconds((Date.parse(endsAt) - Date.parse(startsAt)) / 1000),
    },
    {
      title: 'Incident',
      cell: ({ incident, summary }) => <a href={`#/incidents/${encodeURIComponent(incident)}`}>{summary}</a>,
    },
  ];
}
