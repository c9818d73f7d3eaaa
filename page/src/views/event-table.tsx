import { useState } from 'preact/hooks';
import type { TransitionReport } from '../../../src/api/services.ts';
import { instanceName } from '../../../src/model/instance-name.ts';
import type { TimeWindow } from '../../../src/track/availability.ts';
import { seconds } from '../format.ts';
import { type Column, Filter, StatusWord, Table, Time } from '../parts.tsx';
import type { Mark } from '../timeline-marks.ts';
import { markNames } from './bands.tsx';

interface EventTableProps {
  readonly transitions: readonly TransitionReport[];
  readonly marks: readonly Mark[];
  readonly window: TimeWindow;
  readonly now: number;
}

/** One row: a mark, or a change of a status. */
interface Event {
  readonly at: string;
  readonly kind: string;
  readonly place: string;
  readonly mark?: Mark;
  readonly transition?: TransitionReport;
  /** Duration of a mark, or of the status before a change; null if it is unknown or zero. */
  readonly seconds: number | null;
}

const statusKind = 'Status';

/** Table of the changes and marks of a time window, the newest first, without new instances that are online. */
export function EventTable({ transitions, marks, window, now }: EventTableProps) {
  const [kind, setKind] = useState('');
  const kinds = [...Object.values(markNames).map(({ name }) => name), statusKind];
  const events = [...marks.map(ofMark), ...transitions.filter((one) => isShown(one, window)).map(ofTransition)]
    .filter((one) => kind === '' || one.kind === kind)
    .toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  return (
    <>
      <div class="filters">
        <Filter name="Kind" values={kinds} value={kind} onChange={setKind} />
      </div>
      <Table
        label="Events"
        columns={columnsAt(now)}
        rows={events}
        keyOf={({ at, kind: own, place, mark, transition }) => [at, own, place, mark?.text ?? transition?.to].join(' ')}
        empty="No event in this time range."
      />
    </>
  );
}

function isShown({ at, from: before, to: after }: TransitionReport, { from, to }: TimeWindow): boolean {
  const time = Date.parse(at);
  return time >= from && time < to && (before !== '' || after !== 'Online');
}

function ofMark(mark: Mark): Event {
  return {
    at: new Date(mark.from).toISOString(),
    kind: markNames[mark.kind].name,
    place: mark.cluster,
    mark,
    seconds: mark.to > mark.from ? (mark.to - mark.from) / 1000 : null,
  };
}

function ofTransition(transition: TransitionReport): Event {
  return {
    at: transition.at,
    kind: statusKind,
    place: `${transition.cluster} ${instanceName(transition)}`,
    transition,
    seconds: transition.lastedSeconds,
  };
}

function columnsAt(now: number): readonly Column<Event>[] {
  return [
    { title: 'Time', sort: ({ at }) => at, cell: ({ at }) => <Time at={at} now={now} /> },
    { title: 'Kind', sort: ({ kind }) => kind, cell: ({ kind }) => <span class="whole">{kind}</span> },
    { title: 'Place', sort: ({ place }) => place, cell: ({ place }) => place },
    { title: 'Event', cell: (event) => <What event={event} /> },
    {
      title: 'Lasted',
      sort: (event) => event.seconds ?? -1,
      cell: (event) =>
        event.seconds === null
          ? '–'
          : event.transition === undefined
            ? seconds(event.seconds)
            : `${event.transition.from} for ${seconds(event.seconds)}`,
    },
  ];
}

function What({ event: { mark, transition } }: { readonly event: Event }) {
  if (transition !== undefined) {
    const { from, to } = transition;
    return (
      <>
        {from === '' ? 'first seen' : from} → {to === '' ? 'forgotten' : <StatusWord status={to} />}
      </>
    );
  }
  if (mark === undefined) return null;
  const text = <span class={mark.color}>{mark.text}</span>;
  return mark.incident === '' ? text : <a href={`#/incidents/${encodeURIComponent(mark.incident)}`}>{text}</a>;
}
