import type { RecordingEvent } from '../guard/recording/format.ts';
import { formatElapsed } from '../kernel/duration.ts';
import { formatDateTime } from '../kernel/timestamp.ts';
import { replaceControlCharacters } from '../kernel/visible-text.ts';
import { formatTable, type Terminal } from './table.ts';

/** Recorded evidence of an abort at one time. */
export interface EvidenceRow {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly node: string;
  readonly observation: string;
}

/** Returns the evidence about a query in an event of a recording; empty for events about graph names. */
export function evidenceOf(event: RecordingEvent, id: string): readonly EvidenceRow[] {
  if (event.event === 'graphs') return [];
  return [{ at: event.at.wall, node: event.node, observation: describeEvent(event, id) }];
}

type NodeEvent = Exclude<RecordingEvent, { readonly event: 'graphs' }>;

function describeEvent(event: NodeEvent, id: string): string {
  if (event.event === 'unlisted') return 'no process list';
  if (event.event === 'gate_value') return `${event.source} ${event.value ?? 'unknown'}`;
  if (!('entries' in event.list)) return `process list rejected: ${event.list.rejected}`;
  const { entries } = event.list;
  const count = entries.length === 1 ? '1 query' : `${entries.length} queries`;
  const own = entries.find((entry) => entry.id === id);
  if (own === undefined) return `${count}, not this one`;
  return 'skipped' in own ? `${count}, this one malformed` : `${count}, this one for ${formatElapsed(own.elapsed)}`;
}

/** Evidence as a table, with times in UTC. */
export function evidenceTable(rows: readonly EvidenceRow[], terminal?: Terminal): string {
  const cells = rows.map(({ at, node, observation }) => [`${formatDateTime(at)}Z`, node, observation]);
  return formatTable(
    [['RECORDED AT', 'NODE', 'OBSERVATION'], ...cells.map((row) => row.map(replaceControlCharacters))],
    terminal,
  );
}
