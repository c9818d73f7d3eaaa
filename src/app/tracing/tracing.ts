import type { Config } from '../../config/config.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Store } from '../../kernel/store.ts';
import type { Digest } from '../../kernel/system.ts';
import type { Millis } from '../../kernel/time.ts';
import type { Alert } from '../../model/alert.ts';
import type { Span, SpanReference, TraceExporter } from '../../model/span.ts';
import type { Transition } from '../../model/transition.ts';
import { querySpan } from '../../trace/query-span.ts';
import type { QueryEnds } from '../../trace/query-tracking.ts';
import { applyTransition, type OpenOutages, outagesOf } from '../../trace/service-outages.ts';
import { querySpanContext } from '../../trace/span-context.ts';
import type { TracingSettings } from '../../trace/telemetry-section.ts';
import { parseTransition, tables } from '../../track/rows.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import type { IncidentTraces } from './incident-traces.ts';

/** Dependencies of tracing. */
export interface TracingContext {
  readonly log: Logger;
  readonly store: Store;
  readonly digest: Digest;
  readonly exports: TraceExporter;
  readonly settings: Pick<TracingSettings, 'queries'>;
  readonly nodes: NodeLookup;
  /** Absent if incidents are not traced. */
  readonly incidents: IncidentTraces | undefined;
}

/** State of the nodes. */
export interface NodeLookup {
  /** Undefined for an unknown node. */
  url(cluster: string, node: string): string | undefined;
  /** Local time minus the time of the node; undefined if it is not known. */
  offset(cluster: string, node: string): Millis | undefined;
}

/** Maximum number of stored transitions of a cluster that a start reads to find open incidents. */
const maxRows = 10_000;

/** Maximum number of queries that are remembered to prevent duplicate spans. */
const maxSent = 10_000;

/** Creates spans of ended queries and of service incidents. */
export class TraceRecorder {
  readonly #context: TracingContext;
  /** Clusters whose earlier incidents are restored. */
  readonly #restored = new Set<string>();
  /** Latest queries by trace: behind a proxy that distributes requests, several nodes list the same query. */
  readonly #sent = new Set<string>();
  readonly #open: OpenOutages = new Map();

  constructor(context: TracingContext) {
    this.#context = context;
  }

  /** Records ended queries of a node. */
  onQueriesEnded({ cluster, node, ended }: QueryEnds): void {
    const { settings, digest, nodes } = this.#context;
    if (!settings.queries) return;
    const origin = { cluster, node, url: nodes.url(cluster, node), offset: nodes.offset(cluster, node) };
    for (const one of ended) this.#sendOnce(querySpan(one, origin, digest));
  }

  /** Returns the span of a query, current or future; undefined if it is not kept. */
  spanReference(cluster: string, id: string): SpanReference | undefined {
    const { settings, exports, digest } = this.#context;
    const context = querySpanContext(cluster, id, digest);
    return settings.queries && exports.isSampled(context.traceId) ? context : undefined;
  }

  /** Records a stored status transition. */
  onTransition(transition: Transition): void {
    this.#onTransition(transition, true);
  }

  /** Records a stored change of an alert. */
  onAlert(alert: Alert): void {
    const { incidents } = this.#context;
    incidents?.onAlert(alert);
    if (alert.status === 'firing') incidents?.onOutages(outagesOf(this.#open, alert.labels));
  }

  /** Restores the open incidents of these clusters from an earlier run, before new transitions are stored. */
  async restore(clusters: readonly string[]): Promise<void> {
    if (this.#context.incidents === undefined) return;
    const unknown = clusters.filter((cluster) => !this.#restored.has(cluster));
    for (const cluster of unknown) this.#restored.add(cluster);
    await Promise.all(unknown.map((cluster) => this.#restoreCluster(cluster)));
  }

  /** Forgets a cluster; its open incidents remain in the stored timeline. */
  forget(cluster: string): void {
    this.#restored.delete(cluster);
    for (const [key, [first]] of this.#open) if (first?.cluster === cluster) this.#open.delete(key);
  }

  async #restoreCluster(cluster: string): Promise<void> {
    const { store, log } = this.#context;
    const where = [{ column: 'cluster', is: '=', value: cluster }] as const;
    const rows = await store.find({ table: tables.transitions, where, order: ['-at'], limit: maxRows });
    if (!rows.ok) log.warn('restoring incidents for tracing failed', { cluster, error: rows.error });
    const found = (rows.ok ? rows.value : []).map(parseTransition).filter((one) => one !== undefined);
    // Incidents that ended then were exported then.
    for (const transition of found.toReversed()) this.#onTransition(transition, false);
  }

  #onTransition(transition: Transition, isChange: boolean): void {
    const { incidents } = this.#context;
    if (incidents === undefined) return;
    const outage = applyTransition(this.#open, transition);
    if (!isChange || outage === undefined) return;
    if (outage.isOver) incidents.onOutageEnded(outage.transitions);
    else incidents.onOutages(outage.transitions.slice(0, 1));
  }

  #sendOnce(span: Span): void {
    const isNew = !this.#sent.has(span.traceId);
    this.#sent.add(span.traceId);
    const [oldest = ''] = this.#sent.size > maxSent ? this.#sent : [];
    this.#sent.delete(oldest);
    if (isNew) this.#send(span);
  }

  #send(span: Span): void {
    const { exports } = this.#context;
    if (exports.isSampled(span.traceId)) exports.record(span);
  }
}

/** Creates tracing if there is a span exporter; otherwise undefined. */
export function createTraceRecorder(
  { telemetry: { traces: settings } }: { readonly telemetry: Pick<Config['telemetry'], 'traces'> },
  ports: Pick<AppPorts, 'log' | 'store' | 'digest' | 'spanExports'>,
  parts: Pick<TracingContext, 'nodes' | 'incidents'>,
): TraceRecorder | undefined {
  return ports.spanExports && new TraceRecorder({ ...ports, exports: ports.spanExports, settings, ...parts });
}
