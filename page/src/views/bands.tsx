import { useRef, useState } from 'preact/hooks';
import type { TimeWindow } from '../../../src/track/availability.ts';
import { count, localMoment, seconds, utcMoment } from '../format.ts';
import { colorOf, StatusWord } from '../parts.tsx';
import type { Mark, MarkKind } from '../timeline-marks.ts';
import { markKinds } from '../timeline-marks.ts';
import type { BandRow } from '../timeline-rows.ts';

/** Maximum number of bands, because a phone needs long to draw more. */
const maxBands = 100;
/** Maximum number of marks of one kind; more would overlap. */
const maxMarks = 200;

/** Name and sign of each kind of mark. */
export const markNames: Readonly<Record<MarkKind, { readonly name: string; readonly sign: string }>> = {
  alert: { name: 'Alerts', sign: '▲' },
  abort: { name: 'Aborts', sign: '✕' },
  check: { name: 'Checks', sign: '◆' },
  start: { name: 'Starts', sign: '●' },
  gap: { name: 'Not observed', sign: '?' },
};

interface BandsProps {
  readonly rows: readonly BandRow[];
  readonly marks: readonly Mark[];
  readonly window: TimeWindow;
  readonly now: number;
  /** Called with the two ends of the time that the user selects by dragging, in ms since the epoch. */
  readonly onSelect: (one: number, other: number) => void;
}

/** Marks and state bands of a time window. Dragging over them selects a part of it. */
export function Bands({ rows, marks, window, now, onSelect }: BandsProps) {
  const { place, selection, handlers } = useSelection(window, onSelect);
  if (rows.length === 0) return <p class="soft">No service instance has been observed.</p>;
  const changed = rows.filter(hasChanged);
  const shown = changed.length === 0 ? rows.slice(0, maxUnchanged) : changed.slice(0, maxBands);
  const rest = rows.filter((row) => !shown.includes(row));
  return (
    <>
      <Legend rows={rows} />
      <div class="bands" {...handlers}>
        <span />
        <div class="axis" ref={place}>
          <AxisTime at={window.from} now={now} />
          <AxisTime at={(window.from + window.to) / 2} now={now} />
          <AxisTime at={window.to} now={now} />
          {selection !== undefined && <div class="selection" style={selection} />}
        </div>
        {markKinds.map((kind) => (
          <Marks key={kind} kind={kind} marks={marks.filter((mark) => mark.kind === kind)} window={window} />
        ))}
        {shown.map((row) => (
          <Band key={row.key} row={row} window={window} />
        ))}
      </div>
      {rest.length > 0 && <Others rows={rest} window={window} />}
    </>
  );
}

/** Maximum number of unchanged bands that are shown at first if no band changed. */
const maxUnchanged = 10;

function hasChanged({ spans }: BandRow): boolean {
  return spans.some(({ status }) => status !== 'Online' && status !== '');
}

function Others({ rows, window }: { readonly rows: readonly BandRow[]; readonly window: TimeWindow }) {
  const [isOpen, setOpen] = useState(false);
  const state = rows.some(hasChanged) ? '' : ', Online all the time';
  const hidden = rows.length - maxBands;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{`${count(rows.length, 'more band')}${state}`}</summary>
      {isOpen && (
        <div class="bands">
          {rows.slice(0, maxBands).map((row) => (
            <Band key={row.key} row={row} window={window} />
          ))}
        </div>
      )}
      {isOpen && hidden > 0 && <p class="soft">{`${count(hidden, 'more band')}: choose a service.`}</p>}
    </details>
  );
}

/** Minimum length of a drag in pixels; a shorter one is a click. */
const shortestDrag = 8;

/** Returns the handlers of a drag over the bands, and the place of the selection within the axis. */
function useSelection({ from, to }: TimeWindow, onSelect: BandsProps['onSelect']) {
  const place = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly start: number; readonly end: number } | undefined>();
  const positionOf = ({ clientX }: PointerEvent): number => {
    const box = place.current?.getBoundingClientRect();
    return box === undefined ? 0 : Math.min(box.width, Math.max(0, clientX - box.left));
  };
  const timeAt = (position: number): number => from + (position / (place.current?.clientWidth ?? 1)) * (to - from);
  const finish = (event: PointerEvent): void => {
    setDrag(undefined);
    if (drag === undefined) return;
    const end = positionOf(event);
    if (Math.abs(end - drag.start) >= shortestDrag) onSelect(timeAt(drag.start), timeAt(end));
  };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button === 0) setDrag({ start: positionOf(event), end: positionOf(event) });
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag !== undefined) setDrag({ start: drag.start, end: positionOf(event) });
    },
    onPointerUp: finish,
    onPointerCancel: () => setDrag(undefined),
    onPointerLeave: () => setDrag(undefined),
  };
  const selection =
    drag === undefined || Math.abs(drag.end - drag.start) < shortestDrag
      ? undefined
      : { left: `${Math.min(drag.start, drag.end)}px`, width: `${Math.abs(drag.end - drag.start)}px` };
  return { place, selection, handlers };
}

function AxisTime({ at, now }: { readonly at: number; readonly now: number }) {
  const time = new Date(at).toISOString();
  return (
    <time dateTime={time} title={utcMoment(time)}>
      {at >= now - 15_000 ? 'now' : localMoment(time, now)}
    </time>
  );
}

interface MarksProps {
  readonly kind: MarkKind;
  readonly marks: readonly Mark[];
  readonly window: TimeWindow;
}

/** Row of one kind of marks; nothing without marks. The table below the bands lists them for screen readers. */
function Marks({ kind, marks, window: { from, to } }: MarksProps) {
  if (marks.length === 0) return null;
  const { name, sign } = markNames[kind];
  const percent = (at: number): number => Math.min(100, Math.max(0, (100 * (at - from)) / (to - from)));
  return (
    <>
      <span>
        {sign} {name}
      </span>
      <svg class="marks" role="img" aria-label={`${name}: ${marks.length}, listed below`}>
        {marks.slice(0, maxMarks).map((mark) => (
          <g key={`${mark.from} ${mark.text}`} class={mark.color}>
            <title>{`${utcMoment(new Date(mark.from).toISOString())}: ${mark.text}`}</title>
            {mark.to > mark.from && (
              <rect
                x={`${percent(mark.from)}%`}
                y="40%"
                width={`${percent(mark.to) - percent(mark.from)}%`}
                height="20%"
              />
            )}
            {mark.from >= from && (
              <text x={`${percent(mark.from)}%`} y="80%" text-anchor="middle">
                {sign}
              </text>
            )}
          </g>
        ))}
      </svg>
    </>
  );
}

const width = 1000;

interface BandProps {
  readonly row: BandRow;
  readonly window: TimeWindow;
}

function Band({ row: { name, spans }, window }: BandProps) {
  const scale = width / (window.to - window.from);
  const parts = spans.map(({ status, from, to }) => `${status || 'unknown'} for ${seconds((to - from) / 1000)}`);
  const text = `${name}: ${parts.slice(-10).join(', then ')}`;
  return (
    <>
      <span>{name}</span>
      <svg class="band" viewBox={`0 0 ${width} 10`} preserveAspectRatio="none" role="img" aria-label={text}>
        <title>{text}</title>
        {spans
          .filter(({ status }) => status !== '')
          .map(({ from, to, status }) => (
            <rect
              key={from}
              class={colorOf(status)}
              x={(from - window.from) * scale}
              y={status === 'Online' ? 0 : 1}
              // Minimum width, so that an outage of a second is visible in a time window of 30 days.
              width={Math.max((to - from) * scale, status === 'Online' ? 0 : 2)}
              height={status === 'Online' ? 10 : 8}
            />
          ))}
      </svg>
    </>
  );
}

function Legend({ rows }: { readonly rows: readonly BandRow[] }) {
  const statuses = new Set(rows.flatMap(({ spans }) => spans.map(({ status }) => status)));
  statuses.delete('');
  return (
    <p class="legend">
      {[...statuses].toSorted().map((status) => (
        <StatusWord key={status} status={status} />
      ))}
    </p>
  );
}
