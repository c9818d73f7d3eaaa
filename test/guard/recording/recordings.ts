import type { RecordingEvent, RecordingHeader } from '../../../src/guard/recording/format.ts';
import type { RecordingOptions } from '../../../src/guard/recording/recorder.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import { settingsOf } from '../decision/guard-simulation.ts';
import { at, epoch, idAt } from '../observations.ts';

/** What is recorded of one node of a cluster, every 5 s. */
export function recordingOptions(changes: Partial<RecordingOptions> = {}): RecordingOptions {
  return {
    cluster: 'prod',
    nodes: ['n1'],
    instances: { n1: 'RESTPP_1_1' },
    interval: 5000,
    graphs: ['fraud', 'sandbox'],
    guard: 'a'.repeat(64),
    settings: settingsOf([]),
    gates: [],
    ...changes,
  };
}

/** The first line of such a recording. */
export function headerOf(changes: Partial<RecordingHeader> = {}): RecordingHeader {
  const { settings: _, ...about } = recordingOptions();
  return { format: 'graphwarden guard recording', version: 1, clauses: [], ...about, ...changes };
}

/** A query as a recording lists it. Times are after the epoch of the tests. */
export interface RecordedQuery {
  readonly serial?: number;
  readonly from?: Millis;
  readonly until?: Millis;
  readonly query?: string;
  readonly node?: string;
  /** Results of the parameter conditions of the header, one digit each. */
  readonly results?: string;
}

/** A list of a node at such a time after the epoch, with those of the queries that run by then. */
export function listedAt(time: Millis, queries: readonly RecordedQuery[] = [], node = 'n1'): RecordingEvent {
  const running = queries.filter(({ from = 0, until = Number.POSITIVE_INFINITY, node: on = 'n1' }) => {
    return on === node && from <= time && time < until;
  });
  const entries = running.map(({ serial = 1, from = 0, query = '/query/fraud/ring_scan', results }) => ({
    id: idAt(from, serial, `RESTPP_1_${node.slice(1)}`),
    start: localTimeAt(from),
    end: localTimeAt(from + 3_600_000),
    elapsed: time - from,
    query,
    ...(results === undefined ? {} : { params: results }),
  }));
  return { event: 'listed', node, started: at(time - 20), at: at(time), list: { entries } };
}

/** Lists of one node, every 5 s, from the epoch to `until`. */
export function listsUntil(until: Millis, queries: readonly RecordedQuery[]): readonly RecordingEvent[] {
  return Array.from({ length: Math.floor(until / 5000) + 1 }, (_, cycle) => listedAt(cycle * 5000, queries));
}

function localTimeAt(time: Millis): string {
  return new Date(epoch + time).toISOString().replace('T', ' ').replace('Z', '');
}
