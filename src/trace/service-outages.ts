import type { Digest } from '../kernel/system.ts';
import type { Span, SpanEvent, SpanReference } from '../model/span.ts';
import { absent, type Transition, unobserved } from '../model/transition.ts';
import { outageSpanContext } from './span-context.ts';

/** Outages in progress, each with its transitions so far, by service instance. The first transition identifies an outage. */
export type OpenOutages = Map<string, readonly Transition[]>;

const online = 'Online';
/** Maximum number of events of a span in the conventions. */
const maxSpanEvents = 128;

/** An outage after one more transition. */
export interface OutageStep {
  readonly transitions: readonly Transition[];
  readonly isOver: boolean;
}

/**
 * Adds a transition and returns its outage; undefined if there is none. An outage begins when an instance shows any status
 * but online, and ends when it is online again or forgotten. Unobserved time neither begins nor ends one.
 */
export function applyTransition(open: OpenOutages, transition: Transition): OutageStep | undefined {
  const { cluster, service, partition, replica, to } = transition;
  const key = outageKey(cluster, service, partition, replica);
  const [first, ...rest] = open.get(key) ?? [];
  const isOver = to === online || to === '';
  if (first === undefined && (isOver || to === unobserved)) return undefined;
  const transitions = first === undefined ? [transition] : [first, ...rest.slice(2 - maxSpanEvents), transition];
  if (isOver) open.delete(key);
  else open.set(key, transitions);
  return { transitions, isOver };
}

/** Returns the first transitions of the outages that an alert may be about: of its service instance, or of its cluster. */
export function outagesOf(open: OpenOutages, labels: Readonly<Record<string, string>>): readonly Transition[] {
  const { cluster_name: cluster = '', service_name: service = '', partition = '', replica } = labels;
  const isOne = replica !== undefined;
  const outages = isOne ? [open.get(outageKey(cluster, service, partition, replica)) ?? []] : [...open.values()];
  return outages.flatMap(([first]) => (first?.cluster === cluster ? [first] : []));
}

/** Span of the incident that an outage belongs to. */
export interface OutageParent {
  readonly reference: SpanReference;
  /** Node of the incident. */
  readonly node?: string;
}

/** Returns the span of an outage that is over, below that of its incident if it has one; undefined for no transitions. */
export function outageSpan(
  transitions: readonly Transition[],
  digest: Digest,
  parent?: OutageParent,
): Span | undefined {
  const [first] = transitions;
  const last = transitions.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const { cluster, service, partition, replica, to } = first;
  return {
    ...outageSpanContext(first, first.at, digest),
    ...(parent && { traceId: parent.reference.traceId, parentId: parent.reference.spanId }),
    name: `${service} not online`,
    kind: 'internal',
    start: first.at,
    end: Math.max(first.at, last.at),
    attributes: {
      'graphwarden.cluster': cluster,
      'graphwarden.service': service,
      ...(parent?.node === undefined ? {} : { 'graphwarden.node': parent.node }),
      ...(partition === '' ? {} : { 'graphwarden.partition': partition }),
      ...(replica === '' ? {} : { 'graphwarden.replica': replica }),
      'graphwarden.outage.outcome': last.to === '' ? 'forgotten' : 'online',
      // At the first observation, the true start is unknown.
      'graphwarden.outage.start_seen': first.from !== '' && first.from !== unobserved,
      'error.type': to === absent ? 'absent' : to,
    },
    events: transitions.map(eventOf),
    links: [],
    error: `${service} was ${to}`,
  };
}

function eventOf({ at, from, to, process, source }: Transition): SpanEvent {
  return {
    name: to === '' ? 'forgotten' : to,
    at,
    attributes: {
      'graphwarden.status.from': from,
      'graphwarden.status.to': to,
      ...(process === '' ? {} : { 'graphwarden.process.state': process }),
      ...(source === '' ? {} : { 'graphwarden.status.source': source }),
    },
  };
}

function outageKey(
  ...replica: readonly [cluster: string, service: string, partition: string, replica: string]
): string {
  return JSON.stringify(replica);
}
