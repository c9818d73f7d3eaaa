import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { colorOfStatus, type StateColor } from '../../src/model/service.ts';
import { unavailable } from '../../src/track/availability.ts';
import { elapsedSince, localMoment, utcMoment } from './format.ts';

/** Shape of each color, so that a state does not depend on colors alone. */
const shapes: Readonly<Record<StateColor, string>> = {
  green: '✓',
  yellow: '◔',
  blue: '▷',
  orange: '!',
  red: '✕',
  grey: '?',
};

/** Returns the color of a status of a service instance, a partition or a service. */
export function colorOf(status: string): StateColor {
  return status === unavailable ? 'red' : colorOfStatus(status);
}

/** Cell of a replica in the grid of a cluster: shape and color of its status, with name and status as its text. */
export function StatusCell({ name, status }: { readonly name: string; readonly status: string }) {
  const color = colorOf(status);
  const text = `${name}: ${status}`;
  return (
    <span class={`cell ${color}`} role="img" aria-label={text} title={text}>
      {shapes[color]}
    </span>
  );
}

/** State as a word with the shape of its color. */
export function StateWord({ color, children }: { readonly color: StateColor; readonly children: string }) {
  return (
    <span class={color}>
      {shapes[color]} {children}
    </span>
  );
}

/** Status of a service as a word with its shape. */
export function StatusWord({ status }: { readonly status: string }) {
  return <StateWord color={colorOf(status)}>{status}</StateWord>;
}

/** Short state in a frame. */
export function Badge({ color, children }: { readonly color: StateColor; readonly children: ComponentChildren }) {
  return <span class={`badge ${color}`}>{children}</span>;
}

const narrow = matchMedia('(max-width: 45rem)');

/** Returns whether the page is as narrow as a phone. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const onChange = (): void => setNarrow(narrow.matches);
    narrow.addEventListener('change', onChange);
    return () => narrow.removeEventListener('change', onChange);
  }, []);
  return isNarrow;
}

/** Time in the zone of the viewer, with UTC as its tooltip. */
export function Time({ at, now }: { readonly at: string | null; readonly now: number }) {
  if (at === null) return <span>–</span>;
  return (
    <time dateTime={at} title={utcMoment(at)}>
      {localMoment(at, now)}
    </time>
  );
}

/** Time since a moment: `3m 20s`, with the moment as its tooltip. */
export function Elapsed({ since, now }: { readonly since: string | null; readonly now: number }) {
  if (since === null) return <span>–</span>;
  return (
    <time dateTime={since} title={utcMoment(since)}>
      {elapsedSince(since, now)}
    </time>
  );
}

/** Time until the next poll or run; a time of day if that is more than a minute away. */
export function Due({ at, now }: { readonly at: string | null; readonly now: number }) {
  if (at === null) return <span>now</span>;
  const left = Date.parse(at) - now;
  if (left > 60_000) return <Time at={at} now={now} />;
  // A non-breaking blank, so that a narrow column keeps one line.
  return <span class="whole">{left <= 0 ? 'now' : `in\u00a0${Math.ceil(left / 1000)}s`}</span>;
}

/** Column of a {@link Table}. */
export interface Column<Row> {
  readonly title: string;
  /** Value by which rows are sorted; absent if the column cannot be sorted. */
  readonly sort?: (row: Row) => string | number;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Rows; undefined while they are not loaded, when an empty table would look as if there were none. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  /** Text of a table without rows. */
  readonly empty: string;
}

/** Maximum number of rows that are drawn, because a phone needs long for more. */
const maxRows = 500;

/** Table whose columns can be sorted. On a narrow screen each row becomes a block. */
export function Table<Row>({ label, columns, rows, keyOf, empty }: TableProps<Row>) {
  const [order, setOrder] = useState<{ readonly title: string; readonly isDescending: boolean } | undefined>();
  if (rows === undefined) return null;
  if (rows.length === 0) return <p class="soft">{empty}</p>;
  const sort = columns.find(({ title }) => title === order?.title)?.sort;
  const sorted = sort === undefined ? rows : rows.toSorted((one, other) => compare(sort(one), sort(other)));
  const shown = (order?.isDescending === true ? sorted.toReversed() : sorted).slice(0, maxRows);
  const toggle = (title: string): void =>
    setOrder({ title, isDescending: order?.title === title && !order.isDescending });
  return (
    <div class="scroll">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.title} column={column} order={order} toggle={toggle} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell }) => (
                <td key={title} data-label={title}>
                  <span>{cell(row)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > maxRows && <p class="soft">{`The first ${maxRows} of ${rows.length} are shown. Use a filter.`}</p>}
    </div>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly order: { readonly title: string; readonly isDescending: boolean } | undefined;
  readonly toggle: (title: string) => void;
}

function Heading<Row>({ column: { title, sort }, order, toggle }: HeadingProps<Row>) {
  if (sort === undefined) return <th scope="col">{title}</th>;
  const isSorted = order?.title === title;
  const direction = isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none';
  return (
    <th scope="col" aria-sort={direction}>
      <button type="button" onClick={() => toggle(title)}>
        {title}
        {isSorted && (order.isDescending ? ' ▾' : ' ▴')}
      </button>
    </th>
  );
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other), 'en', { numeric: true });
}

interface FilterProps {
  readonly name: string;
  readonly values: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Choice of one value of a column; without a value, all rows are shown. */
export function Filter({ name, values, value, onChange }: FilterProps) {
  return (
    <label>
      {name}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">all</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Returns the values of a column, sorted, each once. */
export function valuesOf<Row>(rows: readonly Row[], value: (row: Row) => string): readonly string[] {
  return [...new Set(rows.map(value))].filter((one) => one !== '').toSorted(compare);
}

interface ActionProps {
  readonly label: string;
  readonly isDangerous?: boolean;
  /** Performs the action; a rejection contains the sentence that explains it. */
  readonly run: () => Promise<unknown>;
}

/** Button of an operator action. Shows the reason if the action is refused. */
export function Action({ label, isDangerous = false, run }: ActionProps) {
  const [state, setState] = useState<{ readonly isRunning: boolean; readonly error?: string }>({ isRunning: false });
  const start = (): void => {
    setState({ isRunning: true });
    run().then(
      () => setState({ isRunning: false }),
      (error: unknown) => setState({ isRunning: false, error: error instanceof Error ? error.message : String(error) }),
    );
  };
  return (
    <>
      <button type="button" class={isDangerous ? 'danger' : ''} disabled={state.isRunning} onClick={start}>
        {label}
      </button>
      {state.error !== undefined && (
        <span class="red" role="alert">
          {state.error}
        </span>
      )}
    </>
  );
}
