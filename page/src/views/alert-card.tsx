import { useState } from 'preact/hooks';
import type { AlertReport } from '../../../src/api/alerts.ts';
import type { DeliveryReport } from '../../../src/api/notifications.ts';
import type { StateColor } from '../../../src/model/service.ts';
import { act } from '../data.ts';
import { Action, Badge, Elapsed, Time } from '../parts.tsx';
import { SilenceForm } from './silence-form.tsx';

const severityColors: Readonly<Record<AlertReport['severity'], StateColor>> = {
  critical: 'red',
  warning: 'orange',
  info: 'blue',
};

/** State of an alert in one word, from the same facts that the notifications use. */
export function phaseOf(alert: AlertReport): string {
  if (alert.phase !== 'firing') return alert.phase;
  if (alert.silencedBy !== null) return 'silenced';
  if (alert.maintenance !== null) return 'in maintenance';
  if (alert.inhibitedBy !== null) return 'inhibited';
  return alert.recoveringSince === null ? 'firing' : 'recovering';
}

/** One alert: what, where, since when, who was notified, and what to do next. */
export function AlertCard({ alert, now }: { readonly alert: AlertReport; readonly now: number }) {
  const [isSilencing, setSilencing] = useState(false);
  const { annotations, severity, phase, incident, acknowledgement } = alert;
  const color = phase === 'resolved' ? 'green' : severityColors[severity];
  const suppressed = phaseOf(alert);
  return (
    <article class={`card edge-${color}`} aria-label={`Alert ${alert.rule}`}>
      <header>
        <Badge color={color}>{phase === 'resolved' ? 'resolved' : severity}</Badge>
        <h3>{annotations.summary ?? alert.rule}</h3>
      </header>
      <p>
        {alert.cluster === '' ? 'graphwarden' : alert.cluster}
        {phase === 'resolved' ? ' · began ' : ' · since '}
        <Time at={alert.startsAt} now={now} /> (<Elapsed since={alert.startsAt} now={now} />)
        {suppressed !== phase && <strong class="grey">{` · ${suppressed}`}</strong>}
        {alert.recoveringSince !== null && (
          <>
            {': condition over for '}
            <Elapsed since={alert.recoveringSince} now={now} />
          </>
        )}
      </p>
      {annotations.description !== undefined && <p>{annotations.description}</p>}
      <Deliveries alert={alert} now={now} />
      {acknowledgement !== null && (
        <p>
          Acknowledged by {acknowledgement.author} at <Time at={acknowledgement.at} now={now} />
          {acknowledgement.comment !== '' && `: ${acknowledgement.comment}`}
        </p>
      )}
      <div class="actions">
        <Links alert={alert} />
        {phase === 'firing' && incident !== '' && acknowledgement === null && (
          <Action label="Acknowledge" run={() => act('POST', `/api/v1/incidents/${incident}/acknowledge`)} />
        )}
        {acknowledgement !== null && phase === 'firing' && (
          <Action
            label="Withdraw the acknowledgement"
            run={() => act('POST', `/api/v1/incidents/${incident}/unacknowledge`)}
          />
        )}
        {phase !== 'resolved' && (
          <button type="button" onClick={() => setSilencing(!isSilencing)} aria-expanded={isSilencing}>
            Silence…
          </button>
        )}
      </div>
      {isSilencing && <SilenceForm matchers={matchersOf(alert)} onDone={() => setSilencing(false)} />}
    </article>
  );
}

/** The matchers that select exactly this alert. */
function matchersOf({ labels }: AlertReport): readonly string[] {
  return Object.entries(labels)
    .filter(([name, value]) => name !== 'severity' && value !== '')
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
}

function Links({ alert: { annotations, incident } }: { readonly alert: AlertReport }) {
  const address = `#/incidents/${encodeURIComponent(incident)}`;
  const links = [
    ['Runbook', annotations.runbook_url],
    ['Dashboard', annotations.dashboard_url],
  ] as const;
  return (
    <>
      {links.map(([name, url]) =>
        url !== undefined && /^https?:/.test(url) ? (
          <a key={name} href={url} rel="noreferrer">
            {name}
          </a>
        ) : null,
      )}
      {incident !== '' && location.hash !== address && <a href={address}>Incident</a>}
    </>
  );
}

/** Who was notified, with the result. */
function Deliveries({ alert, now }: { readonly alert: AlertReport; readonly now: number }) {
  if (alert.unrouted) return <p class="orange">! Sent to no receiver: its route has none, or none is configured.</p>;
  if (alert.deliveries.length === 0) {
    return phaseOf(alert) === 'firing' ? <p class="orange">! Not notified yet.</p> : null;
  }
  return (
    <p>
      {'Notified: '}
      {alert.deliveries.map((delivery, at) => (
        <span key={delivery.receiver} class={delivery.state === 'accepted' ? '' : 'orange'}>
          {at > 0 && ', '}
          {delivery.receiver} <DeliveryState delivery={delivery} now={now} />
        </span>
      ))}
    </p>
  );
}

function DeliveryState({ delivery, now }: { readonly delivery: DeliveryReport; readonly now: number }) {
  const { state, acceptedAt, reason } = delivery;
  if (state === 'accepted') {
    return (
      <>
        accepted <Time at={acceptedAt} now={now} />
      </>
    );
  }
  return <>{reason === '' ? state : `${state} (${reason})`}</>;
}
