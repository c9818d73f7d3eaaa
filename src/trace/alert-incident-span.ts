import type { Digest } from '../kernel/system.ts';
import type { Alert } from '../model/alert.ts';
import type { Span, SpanReference } from '../model/span.ts';
import { alertIncidentContext } from './span-context.ts';

/** A resolved alert and what belongs to its incident. */
export interface TracedAlert {
  readonly alert: Alert;
  /** Start of the earliest outage in the incident, ms since the epoch; absent without one. */
  readonly firstOutage?: number;
  /** Notifications and aborts. */
  readonly links: readonly SpanReference[];
  /** The incident that includes the alert as an effect. */
  readonly lead?: SpanReference;
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

/** Returns the span of a resolved alert: the root of its incident, or a child if another alert leads the incident. */
export function alertSpan({ alert, firstOutage, links, lead }: TracedAlert, digest: Digest): Span {
  const { rule, severity, labels, startsAt, endsAt = startsAt, episode } = alert;
  const place = alertIncidentContext(alert, digest);
  const start = Math.min(startsAt, firstOutage ?? startsAt);
  return {
    ...place,
    ...(lead && { traceId: lead.traceId, parentId: lead.spanId }),
    name: lead === undefined ? `incident ${rule}` : `alert ${rule}`,
    kind: 'internal',
    start,
    end: Math.max(start, endsAt),
    attributes: {
      'graphwarden.rule': rule,
      'graphwarden.severity': severity,
      'graphwarden.incident.number': episode,
      ...identityAttributes(labels),
      'error.type': rule,
    },
    events: [],
    links,
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
