import type { Digest } from '../kernel/system.ts';
import type { Span, SpanEvent, SpanReference } from '../model/span.ts';
import { absent, type ReplicaId, type Transition, unobserved } from '../model/transition.ts';
import { outageSpanContext } from './span-context.ts';

/** The incidents under way, each with its transitions so far, by service instance. Values are never changed in place. */
export type OpenIncidents = ReadonlyMap<string, readonly Transition[]>;

const online = 'Online';
/** What the conventions have a span keep at most. */
const maxSpanEvents = 128;

/**
 * What a transition adds. An incident begins when an instance shows any status but online, and ends when it is online
 * again or forgotten. That it could not be asked is no status: it begins and ends nothing.
 */
export function applyTransition(
  open: OpenIncidents,
  transition: Transition,
): { readonly open: OpenIncidents; readonly over?: readonly Transition[] } {
  const key = keyOf(transition);
  const known = open.get(key);
  const { to } = transition;
  if (to === online || to === '') {
    if (known === undefined) return { open };
    return { open: new Map([...open].filter(([other]) => other !== key)), over: [...known, transition] };
  }
  if (known === undefined && to === unobserved) return { open };
  const [first = transition, ...rest] = known ?? [];
  const all = known === undefined ? [transition] : [first, ...rest.slice(2 - maxSpanEvents), transition];
  return { open: new Map([...open, [key, all]]) };
}

/** Span of the incident that an outage belongs to. */
export interface OutageParent {
  readonly place: SpanReference;
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
    ...(parent && { traceId: parent.place.traceId, parentId: parent.place.spanId }),
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
      'graphwarden.incident.outcome': last.to === '' ? 'forgotten' : 'online',
      // Who was found so may have been so for long.
      'graphwarden.incident.start_seen': first.from !== '' && first.from !== unobserved,
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

function keyOf({ cluster, service, partition, replica }: ReplicaId): string {
  return JSON.stringify([cluster, service, partition, replica]);
}
