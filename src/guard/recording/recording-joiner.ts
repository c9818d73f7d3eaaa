import type { Instant, Millis } from '../../kernel/time.ts';
import type { RecordedEntry, RecordingEvent, RecordingHeader } from './format.ts';
import { type ParamCondition, paramConditionKey } from './param-conditions.ts';

/**
 * Joins the files of a cluster to one recording. Their headers differ if the configuration was reloaded in between; the
 * header of the recording has only the clauses and gate sources that all files have.
 */
export class RecordingJoiner {
  readonly header: RecordingHeader;
  #file: RecordingHeader | undefined;
  /** Index of each condition of {@link header} in the header of the current file. */
  #indexes: readonly number[] = [];
  #shift: Millis = 0;
  #last: Millis = Number.NEGATIVE_INFINITY;

  constructor(headers: readonly [RecordingHeader, ...RecordingHeader[]]) {
    const latest = headers.at(-1) ?? headers[0];
    const keys = headers.map(({ clauses }) => new Set(clauses.map(paramConditionKey)));
    this.header = {
      ...latest,
      nodes: [...new Set(headers.flatMap(({ nodes }) => nodes))],
      instances: Object.fromEntries(headers.flatMap(({ instances }) => Object.entries(instances))),
      graphs: headers[0].graphs,
      clauses: latest.clauses.filter((clause) => keys.every((known) => known.has(paramConditionKey(clause)))),
      gates: latest.gates.filter((source) => headers.every(({ gates }) => gates.includes(source))),
    };
  }

  /** Returns the events of the joined recording for the next event of a file. */
  join(event: RecordingEvent, file: RecordingHeader): readonly RecordingEvent[] {
    const isNext = file !== this.#file;
    if (isNext) this.#begin(file, event.at.mono);
    const at = this.#shifted(event.at);
    this.#last = at.mono;
    const start = isNext ? [{ event: 'graphs', at, names: file.graphs } as const] : [];
    if (event.event !== 'listed') return [...start, { ...event, at }];
    const { list } = event;
    const joined = 'entries' in list ? { entries: list.entries.map((entry) => this.#fit(entry)) } : list;
    return [...start, { ...event, at, started: this.#shifted(event.started), list: joined }];
  }

  /** The monotonic clock of a file may start before the end of the file before, if the wall clock was set back. */
  #begin(file: RecordingHeader, first: Millis): void {
    this.#file = file;
    this.#shift = Math.max(0, this.#last - first);
    const indexes = new Map(file.clauses.map((clause: ParamCondition, index) => [paramConditionKey(clause), index]));
    this.#indexes = this.header.clauses.map((clause) => indexes.get(paramConditionKey(clause)) ?? -1);
  }

  #fit(entry: RecordedEntry): RecordedEntry {
    if ('skipped' in entry || entry.params === undefined) return entry;
    const { params, ...rest } = entry;
    const results = this.#indexes.map((index) => params[index] ?? '?').join('');
    return results === '' ? rest : { ...rest, params: results };
  }

  #shifted({ wall, mono }: Instant): Instant {
    return { wall, mono: mono + this.#shift };
  }
}
