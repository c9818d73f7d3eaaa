import type { IncidentId, IncidentLookup, InstanceIncident } from '../../alert/incident-lookup.ts';
import type { Digest } from '../../kernel/system.ts';
import type { Alert } from '../../model/alert.ts';
import type { SpanRecorder, SpanReference } from '../../model/span.ts';
import type { Transition } from '../../model/transition.ts';
import { alertSpan, incidentSpan, type TracedIncident } from '../../trace/alert-incident-span.ts';
import { outageSpan } from '../../trace/service-outages.ts';
import { alertIncidentContext } from '../../trace/span-context.ts';

/** Maximum number of remembered incidents, and of links of one incident. */
const maxIncidents = 1000;
const maxLinks = 32;

/** Rule whose effects have no spans of their own, because each outage of a service instance has one. */
const outageRule = 'service_not_online';

type OpenIncident = Omit<TracedIncident, 'alert'>;

/** Dependencies of the traces of incidents. */
export interface IncidentTraceContext {
  readonly digest: Digest;
  readonly spans: SpanRecorder;
  readonly alerts: IncidentLookup;
  /** Returns the span of the abort that an alert reports; undefined if there is none. */
  readonly abortOf: (alert: Alert) => SpanReference | undefined;
}

/**
 * Creates one trace per incident: the incident as the root, with a child for each outage of a service instance and
 * each other alert that belongs to it. The ids follow from the key and the number of the incident, so children need not wait for
 * their root. Incidents are rare and always sampled.
 */
export class IncidentTraces {
  readonly #context: IncidentTraceContext;
  readonly #open = new Map<string, OpenIncident>();
  /** Incidents by the first transition of an outage. */
  readonly #byOutage = new WeakMap<Transition, InstanceIncident>();

  constructor(context: IncidentTraceContext) {
    this.#context = context;
  }

  /** Records a stored change of an alert: the span follows when it is resolved. */
  onAlert(alert: Alert): void {
    const { alerts, abortOf } = this.#context;
    const including = alerts.includingIncident(alert);
    const isLead = incidentKey(including) === incidentKey(alert);
    if (alert.status === 'resolved') this.#onResolved(alert, isLead ? undefined : including);
    else if (isLead) {
      const abort = abortOf(alert);
      const { links = abort === undefined ? [] : [abort], ...known } = this.#open.get(incidentKey(alert)) ?? {};
      this.#update(alert, { ...known, links, causeLabels: alert.labels });
    }
  }

  /** Links an open incident to a notification about it. */
  link(incident: IncidentId, reference: SpanReference): void {
    const known = this.#open.get(incidentKey(incident));
    if (known !== undefined) this.#update(incident, { ...known, links: [...known.links, reference].slice(-maxLinks) });
  }

  /** Finds the incidents of continuing outages, which are given by their first transitions. */
  onOutages(outages: readonly Transition[]): void {
    for (const first of outages) if (!this.#byOutage.has(first)) this.#incidentOf(first);
  }

  /** Records an outage that is over: below its incident, or as a trace of its own. */
  onOutageEnded(transitions: readonly Transition[]): void {
    const [first] = transitions;
    const { digest, spans } = this.#context;
    const incident = first && this.#incidentOf(first);
    const node = incident?.node === undefined ? {} : { node: incident.node };
    const parent = incident && { reference: alertIncidentContext(incident, digest), ...node };
    const span = outageSpan(transitions, digest, parent);
    if (span !== undefined && spans.isSampled(span.traceId, parent !== undefined)) spans.record(span);
  }

  #incidentOf(first: Transition): InstanceIncident | undefined {
    const { alerts } = this.#context;
    const found = this.#byOutage.get(first) ?? alerts.incidentOfInstance(first, first.at);
    if (found === undefined) return undefined;
    const incident = { ...found, ...alerts.includingIncident(found) };
    this.#byOutage.set(first, incident);
    const known = this.#open.get(incidentKey(incident));
    const firstOutage = Math.min(known?.firstOutage ?? first.at, first.at);
    if (known !== undefined) this.#update(incident, { ...known, firstOutage });
    return incident;
  }

  /** `including` is the incident that includes the alert as an effect. */
  #onResolved(alert: Alert, including: IncidentId | undefined): void {
    const { digest, spans } = this.#context;
    const known = this.#open.get(incidentKey(alert)) ?? { links: [] };
    this.#open.delete(incidentKey(alert));
    if (!spans.isSampled(alertIncidentContext(including ?? alert, digest).traceId, true)) return;
    // An effect that leads the incident since its cause ended is still an effect.
    const isEffect = including !== undefined || alert.formerCause !== undefined;
    if (isEffect && alert.rule !== outageRule) spans.record(alertSpan(alert, including ?? alert, digest));
    if (including === undefined) spans.record(incidentSpan({ alert, ...known }, digest));
  }

  #update(incident: IncidentId, next: OpenIncident): void {
    this.#open.set(incidentKey(incident), next);
    const [oldest = ''] = this.#open.size > maxIncidents ? this.#open.keys() : [];
    this.#open.delete(oldest);
  }
}

function incidentKey({ key, episode }: IncidentId): string {
  return `${key}/${episode}`;
}
