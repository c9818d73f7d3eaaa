import type { Digest } from '../kernel/system.ts';
import { type Alert, shortIncidentId } from '../model/alert.ts';
import type { Span, SpanReference } from '../model/span.ts';
import { alertIncidentContext, alertSpanId } from './span-context.ts';

/** An incident that is over. */
export interface TracedIncident {
  /** The alert that leads it at its end. */
  readonly alert: Alert;
  /** Labels of the cause with which it began; absent if they are unknown. */
  readonly causeLabels?: Alert['labels'];
  /** Start of the earliest outage in the incident, ms since the epoch; absent without one. */
  readonly firstOutage?: number;
  /** Notifications and aborts. */
  readonly links: readonly SpanReference[];
}

/** Labels that say what an alert is about. */
const identityLabels = {
  cluster_name: 'graphwarden.cluster',
  node: 'graphwarden.node',
  service_name: 'graphwarden.service',
  partition: 'graphwarden.partition',
  replica: 'graphwarden.replica',
  graph: 'db.namespace',
  policy: 'graphwarden.query.policy',
} as const;

/** Returns the root span of an incident: under the rule and the labels of its cause, as receivers know it. */
export function incidentSpan({ alert, causeLabels, firstOutage, links }: TracedIncident, digest: Digest): Span {
  const { formerCause } = alert;
  const labels = causeLabels ?? (formerCause && alert.formerLabels?.[0]?.labels) ?? alert.labels;
  const { rule, startsAt } = formerCause ?? alert;
  const start = Math.min(startsAt, alert.startsAt, firstOutage ?? startsAt);
  const context = alertIncidentContext(alert, digest);
  return { ...context, name: `incident ${rule}`, ...fields({ ...alert, rule, labels, startsAt: start }, alert), links };
}

/** Returns the span of an alert within the trace of the incident that includes it. */
export function alertSpan(alert: Alert, incident: Pick<Alert, 'key' | 'episode'>, digest: Digest): Span {
  const { traceId, spanId: parentId } = alertIncidentContext(incident, digest);
  const context = { traceId, spanId: alertSpanId(alert, digest), parentId };
  return { ...context, name: `alert ${alert.rule}`, ...fields(alert, incident), links: [] };
}

function fields(
  { rule, severity, labels, startsAt, endsAt = startsAt }: Alert,
  incident: Pick<Alert, 'key' | 'episode'>,
): Pick<Span, 'kind' | 'start' | 'end' | 'attributes' | 'events' | 'error'> {
  return {
    kind: 'internal',
    start: startsAt,
    end: Math.max(startsAt, endsAt),
    attributes: {
      'graphwarden.rule': rule,
      'graphwarden.severity': severity,
      'graphwarden.incident.id': shortIncidentId(incident),
      ...identityAttributes(labels),
      'error.type': rule,
    },
    events: [],
    error: rule,
  };
}

function identityAttributes(labels: Alert['labels']): Span['attributes'] {
  const found = Object.entries(identityLabels).flatMap(([label, attribute]) => {
    const value = labels[label] ?? '';
    return value === '' ? [] : [[attribute, value] as const];
  });
  return Object.fromEntries(found);
}
