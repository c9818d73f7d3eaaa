import { parseRequestId } from '../../graphdb/query-identity.ts';
import type { Failure } from '../../kernel/failure.ts';
import type { Result } from '../../kernel/result.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Pressure } from '../gates.ts';
import type { GateSource, GuardSettings, Policy } from '../policy.ts';
import { entryId, type ListTimes, type Observation, parseEntries, parseEntry } from '../process-list.ts';
import {
  conditionResultsKey,
  type RecordedEntry,
  type RecordedList,
  type RecordingEvent,
  type RecordingHeader,
  recordingFormat,
  recordingVersion,
  skipReasonKey,
} from './format.ts';
import {
  compileParamConditions,
  conditionSections,
  type ParamConditionTest,
  paramConditionsOf,
} from './param-conditions.ts';

/** What is to be recorded. */
export interface RecordingOptions
  extends Pick<RecordingHeader, 'cluster' | 'nodes' | 'instances' | 'interval' | 'graphs' | 'guard'> {
  readonly settings: GuardSettings;
  /** The pressures that are read. */
  readonly pressures: readonly GateSource[];
  /** `host:port` of each node, as configured. */
  readonly addresses: Readonly<Record<string, string>>;
}

/** Converts the events of a cluster into lines of a recording, without user data. */
export interface Recorder {
  readonly header: RecordingHeader;
  listed(list: ReceivedList): RecordingEvent;
  pressed(pressure: Pressure, at: Instant): RecordingEvent;
  graphs(names: readonly string[], at: Instant): RecordingEvent;
}

/** Body of a node's process list, or the failure of the request. */
export interface ReceivedList extends ListTimes {
  readonly node: string;
  readonly answer: Result<unknown, Failure>;
}

/** The policies of a guard that concern a cluster. */
export function policiesForCluster({ policies }: GuardSettings, cluster: string): readonly Policy[] {
  return policies.filter(({ clusters }) => clusters?.includes(cluster) !== false);
}

/** Begins a recording: what its policies ask of parameters is answered while it is made, once and for all. */
export function createRecorder({ settings, pressures, addresses, ...about }: RecordingOptions): Recorder {
  const sections = conditionSections(settings, policiesForCluster(settings, about.cluster));
  const redact = createRedaction(compileParamConditions(sections));
  return {
    header: {
      format: recordingFormat,
      version: recordingVersion,
      ...about,
      clauses: paramConditionsOf(sections),
      pressures,
    },
    listed: ({ node, answer, started, received }) => {
      const at = roundInstant(received);
      if (!answer.ok) return { event: 'unlisted', node, at, ...failureFields(answer.error) };
      const address = addresses[node] ?? '';
      return { event: 'listed', node, started: roundInstant(started), at, address, list: redact(node, answer.value) };
    },
    pressed: ({ node, source, value, interval, at: arrivedAt, collectedAt }, at) => ({
      event: 'pressed',
      node,
      at: roundInstant(at),
      source,
      ...(value === undefined ? {} : { value }),
      ...(arrivedAt > collectedAt ? { age: Math.round(arrivedAt - collectedAt) } : {}),
      interval,
    }),
    graphs: (names, at) => ({ event: 'graphs', at: roundInstant(at), names }),
  };
}

/** The server's own words are not kept. */
function failureFields({
  reason,
  code,
}: Failure): Pick<RecordingEvent & { readonly event: 'unlisted' }, 'reason' | typeof skipReasonKey> {
  if (reason !== 'body') return { reason };
  return { reason, [skipReasonKey]: code === undefined ? 'malformed' : 'error' };
}

/** Whole milliseconds are enough, and shorter. */
function roundInstant({ wall, mono }: Instant): Instant {
  return { wall: Math.round(wall), mono: Math.round(mono) };
}

/** Turns what nodes answer into what may be kept of it. It remembers the urls of each node's latest list. */
export type Redaction = (node: string, body: unknown) => RecordedList;

interface KnownUrl {
  readonly url: string;
  readonly changed: number;
}

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']);

/**
 * Keeps of an entry what the guard may keep, and of an odd one only so much that it is as odd when it is replayed. Of a
 * url nothing is left but the name of an installed query, or the kind of anything else. A list that is void for what it
 * names is kept as it is: the replay is to find the same.
 */
export function createRedaction(test: ParamConditionTest): Redaction {
  const urls = new Map<string, ReadonlyMap<string, KnownUrl>>();
  return (node, body) => {
    const results = parseEntries(body);
    if (!results.ok) return { void: results.error };
    const before = urls.get(node);
    const now = new Map<string, KnownUrl>();
    const markers = new Map<string, string>();
    const entries = results.value.map((value): RecordedEntry => {
      const read = parseEntry(value);
      if (!read.ok) return redactSkippedEntry(entryId(value), markers);
      const known = trackUrl(before?.get(read.value.id), read.value.url);
      now.set(read.value.id, known);
      return redactEntry(read.value, known.changed, test);
    });
    urls.set(node, now);
    return { entries };
  };
}

function trackUrl(before: KnownUrl | undefined, url: string): KnownUrl {
  if (before === undefined) return { url, changed: 0 };
  return before.url === url ? before : { url, changed: before.changed + 1 };
}

function redactEntry(observation: Observation, changed: number, test: ParamConditionTest): RecordedEntry {
  const { id, startTime: start, expirationTime: end, elapsed, kind, graph, query, method } = observation;
  const results = kind === 'installed' ? test(observation) : '';
  return {
    id,
    start,
    ...(end === undefined ? {} : { end }),
    elapsed,
    query: kind === 'installed' ? `/query/${graph}/${query}` : kind,
    ...(method === undefined ? {} : { method: methods.has(method) ? method : 'OTHER' }),
    ...(results === '' ? {} : { [conditionResultsKey]: results }),
    ...(changed === 0 ? {} : { changed }),
  };
}

/** Two that are alike stay so: a list with one id twice is void. */
function redactSkippedEntry(id: string | undefined, markers: Map<string, string>): RecordedEntry {
  if (id === undefined) return { odd: true };
  if (parseRequestId(id) !== undefined) return { id, odd: true };
  const marker = markers.get(id) ?? `?${markers.size + 1}`;
  markers.set(id, marker);
  return { id: marker, odd: true };
}
