import type { Config } from '../config/config.ts';
import type { Digest } from '../kernel/digest.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Store } from '../kernel/store.ts';
import type { Millis } from '../kernel/time.ts';
import type { Sample } from '../metric/metric.ts';
import type { Span, SpanPlace } from '../model/span.ts';
import type { SpanExports } from '../model/tracing.ts';
import type { Transition } from '../model/transition.ts';
import { queryTrace } from '../trace/places.ts';
import { querySpan } from '../trace/query-span.ts';
import { incidentSpan, noted, type OpenIncidents } from '../trace/service-incidents.ts';
import type { TracingSettings } from '../trace/tracing-section.ts';
import { tables, transitionOf } from '../track/rows.ts';
import type { AppPorts } from './app.ts';
import type { QueryEnds } from './query-ages.ts';
import { tracingSamples } from './tracing-metrics.ts';

/** What tracing works with. */
export interface TracingContext {
  readonly log: Logger;
  readonly store: Store;
  readonly digest: Digest;
  readonly exports: SpanExports;
  readonly settings: Pick<TracingSettings, 'queries' | 'incidents'>;
  readonly nodes: NodeKnowledge;
}

/** What is known of nodes elsewhere. */
export interface NodeKnowledge {
  /** Undefined for one that is not watched. */
  url(cluster: string, node: string): string | undefined;
  /** To be taken from our time to get the node's; undefined where that is not known. */
  offset(cluster: string, node: string): Millis | undefined;
}

/** How far back a start looks for incidents that were under way. */
const mostRows = 10_000;

/** How many queries are remembered not to be told of twice. */
const mostSent = 10_000;

/** Makes spans of the queries that are over, and of the times that services were not online. */
export class Tracing {
  readonly #context: TracingContext;
  /** Clusters whose earlier incidents were asked for. */
  readonly #recalled = new Set<string>();
  /** Of the latest queries, by trace: behind a proxy that shuffles nodes, the lists of several name one. */
  readonly #sent = new Set<string>();
  #open: OpenIncidents = new Map();

  constructor(context: TracingContext) {
    this.#context = context;
  }

  /** Queries of a node are over. */
  over({ cluster, node, ended }: QueryEnds): void {
    const { settings, digest, nodes } = this.#context;
    if (!settings.queries) return;
    const place = { cluster, node, url: nodes.url(cluster, node), offset: nodes.offset(cluster, node) };
    for (const one of ended) this.#sendOnce(querySpan(one, place, digest));
  }

  /** Where the span of a query is found, now or when it is over; undefined where it is not kept. */
  spanOf(cluster: string, id: string): SpanPlace | undefined {
    const { settings, exports, digest } = this.#context;
    const place = queryTrace(cluster, id, digest);
    return settings.queries && exports.keeps(place.traceId) ? place : undefined;
  }

  /** A service instance showed another status, and that is stored. */
  changed(transition: Transition): void {
    if (this.#context.settings.incidents) this.#note(transition, true);
  }

  /** Takes up the incidents of these clusters that an earlier run of the program saw begin; before anything new is stored. */
  async recall(clusters: readonly string[]): Promise<void> {
    if (!this.#context.settings.incidents) return;
    const unknown = clusters.filter((cluster) => !this.#recalled.has(cluster));
    for (const cluster of unknown) this.#recalled.add(cluster);
    await Promise.all(unknown.map((cluster) => this.#recall(cluster)));
  }

  /** A cluster is watched no more; its incidents under way are in the stored timeline. */
  forget(cluster: string): void {
    this.#recalled.delete(cluster);
    this.#open = new Map([...this.#open].filter(([, [first]]) => first?.cluster !== cluster));
  }

  /** What became of the spans so far. */
  samples(): readonly Sample[] {
    return tracingSamples(this.#context.exports.tally());
  }

  async #recall(cluster: string): Promise<void> {
    const { store, log } = this.#context;
    const where = [{ column: 'cluster', is: '=', value: cluster }] as const;
    const rows = await store.find({ table: tables.transitions, where, order: ['-at'], limit: mostRows });
    if (!rows.ok) log.warn('incidents under way before the start will not be traced', { cluster, reason: rows.error });
    const found = (rows.ok ? rows.value : []).map(transitionOf).filter((one) => one !== undefined);
    // What ended then was sent then.
    for (const transition of found.toReversed()) this.#note(transition, false);
  }

  #note(transition: Transition, isNews: boolean): void {
    const { open, over } = noted(this.#open, transition);
    this.#open = open;
    const span = over === undefined || !isNews ? undefined : incidentSpan(over, this.#context.digest);
    if (span !== undefined) this.#send(span);
  }

  #sendOnce(span: Span): void {
    const isNew = !this.#sent.has(span.traceId);
    this.#sent.add(span.traceId);
    const [oldest = ''] = this.#sent.size > mostSent ? this.#sent : [];
    this.#sent.delete(oldest);
    if (isNew) this.#send(span);
  }

  #send(span: Span): void {
    const { exports } = this.#context;
    if (exports.keeps(span.traceId)) exports.take(span);
  }
}

/** Traces where there is a way out for spans; undefined where there is none. */
export function tracingOf(
  { tracing: settings }: Pick<Config, 'tracing'>,
  ports: Pick<AppPorts, 'log' | 'store' | 'digest' | 'spanExports'>,
  nodes: NodeKnowledge,
): Tracing | undefined {
  return ports.spanExports && new Tracing({ ...ports, exports: ports.spanExports, settings, nodes });
}
