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
  if (alert.event) return 'event';
  return alert.recoveringSince === null ? 'firing' : 'recovering';
}

interface AlertCardProps {
  readonly alert: AlertReport;
  readonly now: number;
  /** All alerts, to name the one that inhibits this one. */
  readonly all?: readonly AlertReport[];
  /** Hides what to do until the user opens it, so that more alerts fit on a phone. */
  readonly isFolded?: boolean;
}

/** One alert: what, where, since when, who was notified, and what to do next. */
export function AlertCard({ alert, now, all = [], isFolded = false }: AlertCardProps) {
  const color = colorOf(alert);
  const next = <NextSteps alert={alert} />;
  return (
    <article class={`card edge-${color}`} aria-label={`Alert ${alert.rule}`}>
      <header>
        <Badge color={color}>{kindOf(alert)}</Badge>
        <h3>{alert.annotations.summary ?? alert.rule}</h3>
      </header>
      <Since alert={alert} now={now} />
      <Suppression alert={alert} all={all} />
      <Deliveries alert={alert} now={now} />
      <Acknowledgement alert={alert} now={now} />
      {isFolded ? (
        <details>
          <summary>What to do</summary>
          {next}
        </details>
      ) : (
        next
      )}
    </article>
  );
}

/** Returns the kind of a card. An event such as an abort is over when it is reported, so its severity is not shown. */
function kindOf({ event, phase, severity }: AlertReport): string {
  if (event) return 'event';
  return phase === 'resolved' ? 'resolved' : severity;
}

function colorOf({ event, phase, severity }: AlertReport): StateColor {
  if (event) return 'grey';
  return phase === 'resolved' ? 'green' : severityColors[severity];
}

/** Location and start of an alert. */
function Since({ alert, now }: { readonly alert: AlertReport; readonly now: number }) {
  const { phase, startsAt, recoveringSince } = alert;
  const shown = phaseOf(alert);
  const ago = (
    <>
      <Time at={startsAt} now={now} /> (<Elapsed since={startsAt} now={now} /> ago)
    </>
  );
  return (
    <p>
      {alert.cluster === '' ? 'graphwarden' : alert.cluster}
      {alert.event ? ' · at ' : phase === 'resolved' ? ' · began ' : ' · since '}
      {ago}
      {!alert.event && shown !== 'firing' && shown !== 'resolved' && <strong class="grey">{` · ${shown}`}</strong>}
      {recoveringSince !== null && (
        <>
          {': condition over for '}
          <Elapsed since={recoveringSince} now={now} />
        </>
      )}
    </p>
  );
}

/** Silence, maintenance window or other alert that suppresses the notifications. */
function Suppression({ alert, all }: Required<Pick<AlertCardProps, 'alert' | 'all'>>) {
  const { phase, silencedBy, maintenance, inhibitedBy } = alert;
  if (phase === 'resolved') return null;
  const cause = all.find(({ key }) => key === inhibitedBy);
  return (
    <>
      {silencedBy !== null && <p>{`Suppressed by the silence ${silencedBy}`}</p>}
      {maintenance !== null && <p>{`Suppressed by the maintenance window ${maintenance}`}</p>}
      {inhibitedBy !== null && (
        <p>
          Inhibited by{' '}
          {cause === undefined || cause.incident === '' ? (
            (cause?.annotations.summary ?? inhibitedBy)
          ) : (
            <a href={`#/incidents/${encodeURIComponent(cause.incident)}`}>{cause.annotations.summary ?? cause.rule}</a>
          )}
        </p>
      )}
    </>
  );
}

function Acknowledgement({ alert: { acknowledgement }, now }: Pick<AlertCardProps, 'alert' | 'now'>) {
  if (acknowledgement === null) return null;
  const { author, at, comment } = acknowledgement;
  return (
    <p>
      Acknowledged by {author} at <Time at={at} now={now} />
      {comment !== '' && `: ${comment}`}
    </p>
  );
}

/** What to do next: the advice, links and buttons. */
function NextSteps({ alert }: { readonly alert: AlertReport }) {
  const [isSilencing, setSilencing] = useState(false);
  const { annotations, phase, event, incident, acknowledgement } = alert;
  return (
    <>
      {annotations.description !== undefined && <p>{annotations.description}</p>}
      <div class="actions">
        <Links alert={alert} />
        {phase === 'firing' && !event && incident !== '' && acknowledgement === null && (
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
    </>
  );
}

/** Returns the matchers that select exactly this alert. */
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

/** Length of a timestamp up to its seconds. */
const secondLength = 'YYYY-MM-DDTHH:MM:SS'.length;

/** Notified receivers with the results; those with the same result in the same second are grouped. */
function Deliveries({ alert, now }: { readonly alert: AlertReport; readonly now: number }) {
  if (alert.unrouted) return <p class="orange">! Sent to no receiver: its route has none, or none is configured.</p>;
  if (alert.deliveries.length === 0) {
    return ['firing', 'event'].includes(phaseOf(alert)) ? <p class="orange">! Not notified yet.</p> : null;
  }
  const groups = Map.groupBy(
    alert.deliveries,
    ({ state, acceptedAt, reason }) => `${state} ${acceptedAt?.slice(0, secondLength)} ${reason}`,
  );
  return (
    <p>
      {'Notified: '}
      {[...groups].map(([key, [first, ...others]], at) =>
        first === undefined ? null : (
          <span key={key} class={first.state === 'accepted' && first.reason === '' ? '' : 'orange'}>
            {at > 0 && '; '}
            {[first, ...others].map(({ receiver }) => receiver).join(', ')} <DeliveryState delivery={first} now={now} />
          </span>
        ),
      )}
    </p>
  );
}

function DeliveryState({ delivery, now }: { readonly delivery: DeliveryReport; readonly now: number }) {
  const { state, acceptedAt, reason } = delivery;
  if (state === 'accepted') {
    return (
      <>
        accepted <Time at={acceptedAt} now={now} />
        {reason !== '' && `, but ${reason}`}
      </>
    );
  }
  return <>{reason === '' ? state : `${state} (${reason})`}</>;
}
