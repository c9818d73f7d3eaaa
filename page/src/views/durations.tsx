import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { endpointSchema } from '../../../src/api/queries.ts';
import { listOf, useData } from '../data.ts';
import { queryName, seconds } from '../format.ts';
import { LoadState } from '../load-state.tsx';
import { type Column, Table } from '../parts.tsx';
import { type QueryDurations, queryDurations } from '../query-durations.ts';

const loadEndpoints = listOf('/api/v1/endpoints', endpointSchema);

interface DurationsProps {
  /** Shows the queries of one cluster; `''` shows all. */
  readonly cluster: string;
  readonly graph: string;
}

/** Durations of the queries that ended in the last minute: the longest as a chart, and all as a table. */
export function Durations({ cluster, graph }: DurationsProps) {
  const endpoints = useData('endpoints', loadEndpoints);
  const rows = queryDurations(endpoints.value ?? [])
    .filter((one) => cluster === '' || one.cluster === cluster)
    .filter((one) => graph === '' || one.graph === graph);
  return (
    <section>
      <h2>Durations in the last minute</h2>
      <LoadState loaded={endpoints} what="durations" />
      {rows.some(({ max }) => max !== null) && <Chart rows={rows} />}
      {endpoints.value !== undefined && (
        <Table
          label="Durations in the last minute"
          columns={columns}
          rows={rows}
          keyOf={(one) => [one.cluster, one.graph, one.query].join(' ')}
          empty="No query ended in the last minute, or the collector statistics has no result."
        />
      )}
    </section>
  );
}

const columns: readonly Column<QueryDurations>[] = [
  { title: 'Query', sort: ({ query }) => query, cell: queryName },
  { title: 'Cluster', sort: ({ cluster }) => cluster, cell: ({ cluster }) => cluster },
  { title: 'Completed', sort: ({ completed }) => completed, cell: ({ completed }) => completed },
  {
    title: 'Timeouts',
    sort: ({ timeouts }) => timeouts,
    cell: ({ timeouts }) => <span class={timeouts > 0 ? 'orange' : ''}>{timeouts}</span>,
  },
  { title: 'Median', sort: ({ p50 }) => p50 ?? -1, cell: ({ p50 }) => seconds(p50) },
  { title: '90 %', sort: ({ p90 }) => p90 ?? -1, cell: ({ p90 }) => seconds(p90) },
  { title: '99 %', sort: ({ p99 }) => p99 ?? -1, cell: ({ p99 }) => seconds(p99) },
  { title: 'Maximum', sort: ({ max }) => max ?? -1, cell: ({ max }) => seconds(max) },
];

/** Width of a bar in pixels, from which the number of bars that fit is computed. */
const barWidth = 44;
const height = 260;

/** The queries with the longest durations as nested bars: the maximum, the 90th percentile and the median. */
function Chart({ rows }: { readonly rows: readonly QueryDurations[] }) {
  const place = useRef<HTMLDivElement>(null);
  const text = JSON.stringify(rows);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    let plot = draw(element, rows);
    const redraw = (): void => {
      plot.destroy();
      plot = draw(element, rows);
    };
    const theme = matchMedia('(prefers-color-scheme: dark)');
    addEventListener('resize', redraw);
    theme.addEventListener('change', redraw);
    return () => {
      removeEventListener('resize', redraw);
      theme.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [text]);
  return <div class="chart" ref={place} role="img" aria-label="Chart of the durations that the table below lists" />;
}

function draw(element: HTMLElement, rows: readonly QueryDurations[]): uPlot {
  const width = element.clientWidth;
  const shown = rows.filter(({ max }) => max !== null).slice(0, Math.max(2, Math.floor((width - 60) / barWidth)));
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(`--${name}`);
  const bars = uPlot.paths.bars?.({ size: [0.7, barWidth] });
  const series = (label: string, fill: string): uPlot.Series => ({
    label,
    fill,
    stroke: fill,
    width: 0,
    points: { show: false },
    ...(bars === undefined ? {} : { paths: bars }),
  });
  const axis = { stroke: color('soft'), grid: { stroke: color('line') }, ticks: { stroke: color('line') } };
  return new uPlot(
    {
      width,
      height,
      cursor: { show: false },
      legend: { live: false },
      scales: { x: { time: false, range: [-0.6, shown.length - 0.4] }, y: { range: (_, __, max) => [0, max * 1.05] } },
      series: [
        {},
        series('Maximum', color('line')),
        series('90 %', color('blue')),
        series('Median', color('accent-deep')),
      ],
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 70,
          rotate: 30,
          splits: () => shown.map((_, at) => at),
          values: (_, splits) => splits.map((at) => shortName(shown[at])),
        },
        { ...axis, size: 60, values: (_, splits) => splits.map((value) => seconds(value)) },
      ],
    },
    [shown.map((_, at) => at), shown.map(({ max }) => max), shown.map(({ p90 }) => p90), shown.map(({ p50 }) => p50)],
    element,
  );
}

const maxNameLength = 14;

function shortName(row: QueryDurations | undefined): string {
  const name = row?.query ?? '';
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name;
}
