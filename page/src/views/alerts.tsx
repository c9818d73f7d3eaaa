import { useState } from 'preact/hooks';
import { type AlertReport, silenceSchema } from '../../../src/api/alerts.ts';
import { pageSchema } from '../../../src/api/fields.ts';
import { type NotificationReport, notificationSchema } from '../../../src/api/notifications.ts';
import { severities } from '../../../src/model/alert.ts';
import { act, listOf, objectOf, useData } from '../data.ts';
import { count } from '../format.ts';
import { LoadState } from '../load-state.tsx';
import { Action, type Column, Elapsed, Filter, Table, Time, valuesOf } from '../parts.tsx';
import type { SiteData } from '../site.ts';
import { AlertCard, phaseOf } from './alert-card.tsx';
import { SilenceForm } from './silence-form.tsx';

const loadSilences = listOf('/api/v1/silences', silenceSchema);
const loadNotifications = objectOf('/api/v1/notifications?limit=100', pageSchema(notificationSchema));

/** Phases in the order of the cards. */
const phases: readonly string[] = [
  'firing',
  'recovering',
  'pending',
  'silenced',
  'in maintenance',
  'inhibited',
  'event',
  'resolved',
];

/** Alerts by their phase, silences, and the latest notifications. */
export function Alerts({ site: { alerts, now } }: { readonly site: SiteData }) {
  const [phase, setPhase] = useState('');
  const [severity, setSeverity] = useState('');
  const [cluster, setCluster] = useState('');
  const all = (alerts.value ?? []).filter(({ rule }) => rule !== 'watchdog');
  const shown = all
    .filter((alert) => phase === '' || phaseOf(alert) === phase)
    .filter((alert) => severity === '' || alert.severity === severity)
    .filter((alert) => cluster === '' || alert.cluster === cluster);
  // A host that is down inhibits the alerts of all its services, so inhibited alerts are only shown if they are selected.
  const inhibited = phase === '' ? shown.filter((alert) => phaseOf(alert) === 'inhibited') : [];
  return (
    <>
      <h2>Alerts</h2>
      <LoadState loaded={alerts} what="alerts" />
      <div class="filters">
        <Filter name="Phase" values={phases} value={phase} onChange={setPhase} />
        <Filter name="Severity" values={severities} value={severity} onChange={setSeverity} />
        <Filter name="Cluster" values={valuesOf(all, (alert) => alert.cluster)} value={cluster} onChange={setCluster} />
      </div>
      {alerts.value !== undefined && shown.length === 0 && (
        <p class="soft">
          {all.length === 0 ? 'No alert is active or was resolved in the last hour.' : 'No alert matches the filters.'}
        </p>
      )}
      <Cards shown={shown.filter((alert) => !inhibited.includes(alert))} all={all} now={now} />
      {inhibited.length > 0 && (
        <details>
          <summary>{`${count(inhibited.length, 'alert')} inhibited by others`}</summary>
          <Cards shown={inhibited} all={all} now={now} />
        </details>
      )}
      <Silences now={now} />
      <Notifications now={now} />
    </>
  );
}

interface CardsProps extends Pick<SiteData, 'now'> {
  readonly shown: readonly AlertReport[];
  readonly all: readonly AlertReport[];
}

function Cards({ shown, all, now }: CardsProps) {
  return (
    <div class="cards">
      {shown.toSorted(byPhase).map((alert) => (
        <AlertCard key={`${alert.key} ${alert.episode}`} alert={alert} all={all} now={now} />
      ))}
    </div>
  );
}

function byPhase(one: AlertReport, other: AlertReport): number {
  return phases.indexOf(phaseOf(one)) - phases.indexOf(phaseOf(other));
}

function Silences({ now }: { readonly now: number }) {
  const [isAdding, setAdding] = useState(false);
  const silences = useData('silences', loadSilences);
  const columns: readonly Column<(typeof silenceSchema)['_output']>[] = [
    { title: 'Matchers', cell: ({ matchers }) => matchers.join(', ') },
    {
      title: 'Ends in',
      cell: ({ endsAt }) => <Elapsed since={new Date(now).toISOString()} now={Date.parse(endsAt)} />,
    },
    { title: 'By', cell: ({ author }) => author },
    { title: 'Reason', cell: ({ reason }) => reason },
    { title: 'ID', cell: ({ id }) => <code>{id}</code> },
    { title: 'Action', cell: ({ id }) => <Action label="End" run={() => act('DELETE', `/api/v1/silences/${id}`)} /> },
  ];
  return (
    <section>
      <h2>Silences</h2>
      <LoadState loaded={silences} what="silences" />
      <Table
        label="Silences"
        columns={columns}
        rows={silences.value}
        keyOf={({ id }) => id}
        empty="No silence is active or scheduled."
      />
      <p>
        <button type="button" aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
          New silence…
        </button>
      </p>
      {isAdding && <SilenceForm matchers={[]} onDone={() => setAdding(false)} />}
    </section>
  );
}

function Notifications({ now }: { readonly now: number }) {
  const notifications = useData('notifications', loadNotifications);
  const columns: readonly Column<NotificationReport>[] = [
    { title: 'Time', sort: ({ at }) => at, cell: ({ at }) => <Time at={at} now={now} /> },
    { title: 'Receiver', sort: ({ receiver }) => receiver, cell: ({ receiver }) => receiver },
    {
      title: 'Result',
      sort: ({ result }) => result,
      cell: ({ action, result, reason }) => (
        <span class={result === 'accepted' ? 'green' : 'orange'}>
          {`${action} ${result}${reason === '' ? '' : `: ${reason}`}`}
        </span>
      ),
    },
    { title: 'Alert', sort: ({ alertname }) => alertname, cell: ({ summary, alertname }) => summary || alertname },
    { title: 'Cluster', sort: ({ cluster }) => cluster, cell: ({ cluster }) => cluster },
  ];
  return (
    <section>
      <h2>Latest notifications</h2>
      <LoadState loaded={notifications} what="notifications" />
      <Table
        label="Latest notifications"
        columns={columns}
        rows={notifications.value?.items}
        keyOf={({ at, receiver, incident, action, result }) => [at, receiver, incident, action, result].join(' ')}
        empty="No notification was sent."
      />
    </section>
  );
}
