import type { IncidentId } from '../../alert/incident-lookup.ts';
import type { Digest } from '../../kernel/system.ts';
import type { Alert } from '../../model/alert.ts';
import type { SpanRecorder, SpanReference } from '../../model/span.ts';
import type { ReplicaId, Transition } from '../../model/transition.ts';
import { alertSpan } from '../../trace/alert-incident-span.ts';
import { outageSpan } from '../../trace/service-incidents.ts';
import { alertIncidentContext } from '../../trace/span-context.ts';
import type { AlertEngine } from '../incidents/alert-engine.ts';

/** Limit of remembered incidents, and of the links of one. */
const maximumIncidents = 1000;
const maximumLinks = 32;

interface OpenIncident {
  readonly links: readonly SpanReference[];
  /** Start of the earliest outage in the incident, ms since the epoch. */
  readonly firstOutage?: number;
}

/** What traces of incidents need. */
export interface IncidentTraceContext {
  readonly digest: Digest;
  readonly spans: SpanRecorder;
  readonly alerts: Pick<AlertEngine, 'includingIncident' | 'incidentOfInstance'>;
}

/**
 * Creates one trace per incident: the incident as the root, with a child for each alert and each outage of a service
 * instance that belongs to it. The ids follow from the key and the number of the incident, so children need not wait for
 * their root. Incidents are rare and always sampled.
 */
export class IncidentTraces {
  readonly #context: IncidentTraceContext;
  readonly #open = new Map<string, OpenIncident>();
  /** Incidents of outages that go on, by instance and start. */
  readonly #outages = new Map<string, IncidentId & { readonly node?: string }>();

  constructor(context: IncidentTraceContext) {
    this.#context = context;
  }

  /** Records a stored change of an alert: the span follows when it is resolved. */
  onAlert(alert: Alert): void {
    if (alert.status === 'firing') this.#update(alert, this.#open.get(incidentKey(alert)) ?? { links: [] });
    else this.#onResolved(alert);
  }

  /** Links an incident to a notification about it or to an abort. */
  link(incident: IncidentId, place: SpanReference): void {
    const known = this.#open.get(incidentKey(incident));
    if (known !== undefined) this.#update(incident, { ...known, links: [...known.links, place].slice(-maximumLinks) });
  }

  /** Finds the incidents of outages that go on; after an alert has begun to fire. */
  onOutages(outages: Iterable<readonly Transition[]>): void {
    for (const [first] of outages) {
      if (first !== undefined && !this.#outages.has(outageKey(first))) this.#incidentOf(first);
    }
  }

  /** Records an outage that is over: below its incident, or as a trace of its own. */
  onOutageEnded(transitions: readonly Transition[]): void {
    const [first] = transitions;
    const { digest, spans } = this.#context;
    const incident = first && this.#incidentOf(first);
    if (first !== undefined) this.#outages.delete(outageKey(first));
    const node = incident?.node === undefined ? {} : { node: incident.node };
    const parent = incident && { place: alertIncidentContext(incident, digest), ...node };
    const span = outageSpan(transitions, digest, parent);
    if (span !== undefined && spans.isSampled(span.traceId, parent !== undefined)) spans.record(span);
  }

  #incidentOf(first: Transition): (IncidentId & { readonly node?: string }) | undefined {
    const key = outageKey(first);
    const { alerts } = this.#context;
    const found = this.#outages.get(key) ?? alerts.incidentOfInstance(first, first.at);
    if (found === undefined) return undefined;
    const incident = { ...found, ...alerts.includingIncident(found) };
    this.#outages.set(key, incident);
    const known = this.#open.get(incidentKey(incident));
    const firstOutage = Math.min(known?.firstOutage ?? first.at, first.at);
    if (known !== undefined) this.#update(incident, { ...known, firstOutage });
    return incident;
  }

  #onResolved(alert: Alert): void {
    const { digest, spans, alerts } = this.#context;
    const including = alerts.includingIncident(alert);
    const isLead = incidentKey(including) === incidentKey(alert);
    const known = this.#open.get(incidentKey(alert)) ?? { links: [] };
    this.#open.delete(incidentKey(alert));
    const lead = isLead ? {} : { lead: alertIncidentContext(including, digest) };
    const span = alertSpan({ alert, ...known, ...lead }, digest);
    if (spans.isSampled(span.traceId, true)) spans.record(span);
  }

  #update(incident: IncidentId, next: OpenIncident): void {
    this.#open.set(incidentKey(incident), next);
    const [oldest = ''] = this.#open.size > maximumIncidents ? this.#open.keys() : [];
    this.#open.delete(oldest);
  }
}

function incidentKey({ key, episode }: IncidentId): string {
  return `${key}/${episode}`;
}

function outageKey({ cluster, service, partition, replica, at }: ReplicaId & { readonly at: number }): string {
  return JSON.stringify([cluster, service, partition, replica, at]);
}
