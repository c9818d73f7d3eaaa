import { parseRequestId } from '../../graphdb/query-identity.ts';
import type { Failure } from '../../kernel/failure.ts';
import type { Result } from '../../kernel/result.ts';
import type { Instant, Millis } from '../../kernel/time.ts';
import type { Pressure } from '../gates.ts';
import { type GateSource, type GuardSettings, policiesForCluster } from '../policy.ts';
import { entryId, type ListTimes, type Observation, parseEntries, parseEntry } from '../process-list.ts';
import {
  type RecordedEntry,
  type RecordedList,
  type RecordingEvent,
  type RecordingHeader,
  recordingFormat,
  recordingVersion,
} from './format.ts';
import {
  compileParamConditions,
  conditionSections,
  type ParamConditionTest,
  paramConditionsOf,
} from './param-conditions.ts';

/** Subject of a recording. */
export interface RecordingOptions
  extends Pick<RecordingHeader, 'cluster' | 'nodes' | 'instances' | 'interval' | 'graphs' | 'guard'> {
  readonly settings: GuardSettings;
  /** Sources of gates that are polled. */
  readonly gates: readonly GateSource[];
}

/** Converts the events of a cluster into lines of a recording, without user data. */
export interface Recorder {
  readonly header: RecordingHeader;
  listed(list: ReceivedList): RecordingEvent;
  /** JSON of {@link listed} in portions: a list of thousands of entries would block the event loop for long. */
  listedJson(list: ReceivedList): Generator<undefined, string>;
  gateValue(pressure: Pressure, at: Instant): RecordingEvent;
  graphs(names: readonly string[], at: Instant): RecordingEvent;
}

/** Body of a node's process list, or the failure of the request. */
export interface ReceivedList extends ListTimes {
  readonly node: string;
  /** Time that the server took, if it is known. */
  readonly listTime?: Millis | undefined;
  readonly answer: Result<unknown, Failure>;
}

/** Creates a recorder. Conditions on parameters are evaluated during the recording, because it does not contain the parameters. */
export function createRecorder({ settings, gates, ...about }: RecordingOptions): Recorder {
  const sections = conditionSections(settings, policiesForCluster(settings, about.cluster));
  const redactPortions = createPortionedRedaction(compileParamConditions(sections));
  return {
    header: {
      format: recordingFormat,
      version: recordingVersion,
      ...about,
      clauses: paramConditionsOf(sections),
      gates,
    },
    listed: ({ answer, ...list }) =>
      answer.ok
        ? { ...listedFields(list), list: collectPortions(redactPortions(list.node, answer.value)) }
        : unlistedEvent(list, answer.error),
    listedJson: (list) => listedJson(list, redactPortions),
    gateValue: ({ node, source, value, interval, at: arrivedAt, collectedAt }, at) => ({
      event: 'gate_value',
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

type ListFields = Omit<ReceivedList, 'answer'>;

function listedFields({ node, started, received, listTime }: ListFields) {
  const times = { started: roundInstant(started), at: roundInstant(received), ...listTimeField(listTime) };
  return { event: 'listed' as const, node, ...times };
}

/** Returns the field of the time that the server took for a list, if it is known. */
export function listTimeField(listTime: Millis | undefined): { readonly list_time?: Millis } {
  return listTime === undefined ? {} : { list_time: Math.round(listTime) };
}

function unlistedEvent({ node, received, listTime }: ListFields, error: Failure): RecordingEvent {
  return { event: 'unlisted', node, at: roundInstant(received), ...failureFields(error), ...listTimeField(listTime) };
}

function* listedJson(
  { answer, ...list }: ReceivedList,
  redactPortions: PortionedRedaction,
): Generator<undefined, string> {
  if (!answer.ok) return JSON.stringify(unlistedEvent(list, answer.error));
  const portions = redactPortions(list.node, answer.value);
  const texts: string[] = [];
  let next = portions.next();
  for (; next.done !== true; next = portions.next()) {
    texts.push(JSON.stringify(next.value).slice(1, -1));
    yield;
  }
  const fields = listedFields(list);
  if (next.value !== undefined) return JSON.stringify({ ...fields, list: next.value });
  return `${JSON.stringify(fields).slice(0, -1)},"list":{"entries":[${texts.join(',')}]}}`;
}

/** Returns the reason of a failure without the message of the server, which may contain user data. */
function failureFields({
  reason,
  code,
}: Failure): Pick<RecordingEvent & { readonly event: 'unlisted' }, 'reason' | 'skip_reason'> {
  if (reason !== 'body') return { reason };
  return { reason, skip_reason: code === undefined ? 'malformed' : 'error' };
}

/** Rounds to milliseconds, which makes the lines shorter. */
function roundInstant({ wall, mono }: Instant): Instant {
  return { wall: Math.round(wall), mono: Math.round(mono) };
}

/** Redacts the process list of a node. Stores the entries of each node's latest list, to count the changes of their urls. */
export type Redaction = (node: string, body: unknown) => RecordedList;

/** Redacted entries of one list in portions; at the end, why it is no list. */
type RedactedPortions = Generator<readonly RecordedEntry[], RecordedList | undefined>;

type PortionedRedaction = (...list: Parameters<Redaction>) => RedactedPortions;

/** Entries of a portion: about a millisecond of work. */
const portionLength = 500;

interface KnownEntry {
  readonly observation: Observation;
  readonly changed: number;
}

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']);

/**
 * Creates a redaction. A url is reduced to the name of an installed query, or to the kind of any other query, and a
 * skipped entry to a marker that the replay skips as well. A list that is rejected because of its ids keeps them, so that
 * the replay rejects it too.
 */
export function createRedaction(test: ParamConditionTest): Redaction {
  const redactPortions = createPortionedRedaction(test);
  return (node, body) => collectPortions(redactPortions(node, body));
}

function collectPortions(portions: RedactedPortions): RecordedList {
  const entries: RecordedEntry[] = [];
  let next = portions.next();
  for (; next.done !== true; next = portions.next()) entries.push(...next.value);
  return next.value ?? { entries };
}

function createPortionedRedaction(test: ParamConditionTest): PortionedRedaction {
  const urls = new Map<string, ReadonlyMap<string, KnownEntry>>();
  return function* redactPortions(node, body) {
    const results = parseEntries(body);
    if (!results.ok) return { rejected: results.error };
    const before = urls.get(node);
    const now = new Map<string, KnownEntry>();
    const markers = new Map<string, string>();
    const redact = (value: unknown): RecordedEntry => {
      const id = entryId(value);
      const earlier = id === undefined ? undefined : before?.get(id);
      const read = parseEntry(value, earlier?.observation);
      if (!read.ok) return redactSkippedEntry(id, markers);
      const known = { observation: read.value, changed: countUrlChanges(earlier, read.value.url) };
      now.set(read.value.id, known);
      return redactEntry(read.value, known.changed, test);
    };
    for (let at = 0; at < results.value.length; at += portionLength)
      yield results.value.slice(at, at + portionLength).map(redact);
    urls.set(node, now);
    return undefined;
  };
}

function countUrlChanges(earlier: KnownEntry | undefined, url: string): number {
  if (earlier === undefined) return 0;
  return earlier.observation.url === url ? earlier.changed : earlier.changed + 1;
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
    ...(results === '' ? {} : { params: results }),
    ...(changed === 0 ? {} : { changed }),
  };
}

/** Returns the same marker for the same invalid id: a list with a duplicate id is rejected. */
function redactSkippedEntry(id: string | undefined, markers: Map<string, string>): RecordedEntry {
  if (id === undefined) return { skipped: true };
  if (parseRequestId(id) !== undefined) return { id, skipped: true };
  const marker = markers.get(id) ?? `?${markers.size + 1}`;
  markers.set(id, marker);
  return { id: marker, skipped: true };
}
