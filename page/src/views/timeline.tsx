import { useMemo, useState } from 'preact/hooks';
import { type ServiceReport, type TransitionReport, transitionSchema } from '../../../src/api/services.ts';
import type { StateColor } from '../../../src/model/service.ts';
import { colorOfStatus } from '../../../src/model/service.ts';
import { listOf, useData } from '../data.ts';
import { instanceName, localMoment, seconds, utcMoment } from '../format.ts';
import { type Column, Filter, LoadState, StatusWord, Table, Time, valuesOf } from '../parts.tsx';
import type { SiteData } from '../site.ts';

const ranges: Readonly<Record<string, number>> = {
  '1h': 3_600_000,
  '6h': 21_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
};

/** Time with one status. Times are ms since the epoch. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly status: string;
}

/** Bands of the status of each service instance over a time range, and the transitions as a table. */
export function Timeline({ site: { services, now, parameters } }: { readonly site: SiteData }) {
  const [range, setRange] = useState('1h');
  const [cluster, setCluster] = useState(parameters.get('cluster') ?? '');
  const [service, setService] = useState('');
  const path = transitionsPath(range, cluster, service);
  const transitions = useData(path, listOf(path, transitionSchema));
  const all = services.value ?? [];
  const chosen = all
    .filter((one) => cluster === '' || one.cluster === cluster)
    .filter((one) => service === '' || one.service === service);
  return (
    <>
      <h2>Timeline</h2>
      <div class="filters">
        <Filter name="Cluster" values={valuesOf(all, (one) => one.cluster)} value={cluster} onChange={setCluster} />
        <Filter name="Service" values={valuesOf(all, (one) => one.service)} value={service} onChange={setService} />
        <label>
          Range
          <select value={range} onChange={({ currentTarget }) => setRange(currentTarget.value)}>
            {Object.keys(ranges).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </div>
      <LoadState loaded={transitions} what="transitions" />
      {transitions.value !== undefined && (
        <Bands services={chosen} transitions={transitions.value} length={ranges[range] ?? 0} now={now} />
      )}
      <h2>Transitions</h2>
      <Table
        label="Transitions"
        columns={transitionColumns(now)}
        rows={transitions.value ?? []}
        keyOf={(one) => [one.at, one.cluster, instanceName(one), one.to].join(' ')}
        empty="No status changed in this time range."
      />
    </>
  );
}

function transitionsPath(range: string, cluster: string, service: string): string {
  const query = new URLSearchParams({ since: range });
  if (cluster !== '') query.set('cluster', cluster);
  if (service !== '') query.set('service', service);
  return `/api/v1/transitions?${query}`;
}

/** More bands are not drawn: instances that changed or are not online come first. */
const maxBands = 100;

interface BandsProps {
  readonly services: readonly ServiceReport[];
  readonly transitions: readonly TransitionReport[];
  /** Length of the time range in ms. */
  readonly length: number;
  readonly now: number;
}

function Bands({ services, transitions, length, now }: BandsProps) {
  const minute = Math.floor(now / 10_000) * 10_000;
  const window = { from: minute - length, to: minute };
  const rows = useMemo(() => rowsOf(services, transitions, window), [services, transitions, minute, length]);
  if (rows.length === 0) return <p class="soft">No service instance is known.</p>;
  const [from, to] = [new Date(window.from).toISOString(), new Date(window.to).toISOString()];
  return (
    <>
      <Legend rows={rows} />
      <div class="bands">
        {rows.slice(0, maxBands).map(({ key, name, spans }) => (
          <Band key={key} name={name} spans={spans} window={window} />
        ))}
        <span />
        <div class="axis">
          <time dateTime={from} title={utcMoment(from)}>
            {localMoment(from, now)}
          </time>
          <time dateTime={to} title={utcMoment(to)}>
            now
          </time>
        </div>
      </div>
      {rows.length > maxBands && <p class="soft">{`${rows.length - maxBands} more instances: choose a service.`}</p>}
    </>
  );
}

interface Row {
  readonly key: string;
  readonly name: string;
  readonly spans: readonly Span[];
}

type Instance = Pick<ServiceReport, 'cluster' | 'service' | 'partition' | 'replica'>;

function keyOf(instance: Instance): string {
  return `${instance.cluster} ${instanceName(instance)}`;
}

function rowsOf(
  services: readonly ServiceReport[],
  transitions: readonly TransitionReport[],
  window: Pick<Span, 'from' | 'to'>,
): readonly Row[] {
  const changes = Map.groupBy(transitions, keyOf);
  const clusters = new Set(services.map(({ cluster }) => cluster));
  return services
    .map((service) => ({ service, changes: changes.get(keyOf(service)) ?? [] }))
    .toSorted(
      (one, other) =>
        interest(other) - interest(one) || instanceName(one.service).localeCompare(instanceName(other.service)),
    )
    .map(({ service, changes: own }) => ({
      key: keyOf(service),
      name: clusters.size > 1 ? `${service.cluster} ${instanceName(service)}` : instanceName(service),
      spans: spansOf(service, own, window),
    }));
}

function interest({ service, changes }: Changes): number {
  const hasChanged = changes.some(({ from }) => from !== '');
  return (service.status === 'Online' ? 0 : 2) + (hasChanged ? 1 : 0);
}

/** A service instance with its transitions in the time range. */
interface Changes {
  readonly service: ServiceReport;
  readonly changes: readonly TransitionReport[];
}

/** Spans of one instance. `changes` are the newest first, as the API lists them. Time before all that is known has no span. */
function spansOf(
  service: ServiceReport,
  changes: readonly TransitionReport[],
  window: Pick<Span, 'from' | 'to'>,
): readonly Span[] {
  const oldest = changes.at(-1);
  if (oldest === undefined) {
    return [{ from: Math.max(window.from, Date.parse(service.since)), to: window.to, status: service.status }];
  }
  const ordered = changes.toReversed();
  const starts = [
    ...(oldest.from === '' ? [] : [{ at: window.from, status: oldest.from }]),
    ...ordered.map(({ at, to }) => ({ at: Math.max(window.from, Date.parse(at)), status: to })),
  ];
  return starts.map(({ at, status }, index) => ({ from: at, to: starts[index + 1]?.at ?? window.to, status }));
}

const width = 1000;

function Band({
  name,
  spans,
  window,
}: {
  readonly name: string;
  readonly spans: readonly Span[];
  readonly window: Pick<Span, 'from' | 'to'>;
}) {
  const scale = width / (window.to - window.from);
  const parts = spans.map(({ status, from, to }) => `${status || 'forgotten'} for ${seconds((to - from) / 1000)}`);
  const text = `${name}: ${parts.slice(-10).join(', then ')}`;
  return (
    <>
      <span>{name}</span>
      <svg class="band" viewBox={`0 0 ${width} 10`} preserveAspectRatio="none" role="img" aria-label={text}>
        <title>{text}</title>
        {spans.map(({ from, to, status }) => (
          <rect
            key={from}
            class={status === '' ? 'grey' : colorOfStatus(status)}
            x={(from - window.from) * scale}
            y={0}
            // An outage of a second is visible in a range of 30 days.
            width={Math.max((to - from) * scale, status === 'Online' ? 0 : 2)}
            height={10}
          />
        ))}
      </svg>
    </>
  );
}

function Legend({ rows }: { readonly rows: readonly Row[] }) {
  const statuses = [...new Set(rows.flatMap(({ spans }) => spans.map(({ status }) => status)))].filter(
    (status) => status !== '',
  );
  const colors: readonly StateColor[] = ['green', 'blue', 'yellow', 'orange', 'red', 'grey'];
  return (
    <p class="legend">
      {statuses
        .toSorted((one, other) => colors.indexOf(colorOfStatus(one)) - colors.indexOf(colorOfStatus(other)))
        .map((status) => (
          <StatusWord key={status} status={status} />
        ))}
    </p>
  );
}

function transitionColumns(now: number): readonly Column<TransitionReport>[] {
  return [
    { title: 'Time', sort: ({ at }) => at, cell: ({ at }) => <Time at={at} now={now} /> },
    { title: 'Instance', sort: instanceName, cell: (one) => `${one.cluster} ${instanceName(one)}` },
    {
      title: 'Change',
      cell: ({ from, to }) => (
        <>
          {from === '' ? 'first seen' : from} → {to === '' ? 'forgotten' : <StatusWord status={to} />}
        </>
      ),
    },
    {
      title: 'After',
      sort: ({ lastedSeconds }) => lastedSeconds ?? -1,
      cell: ({ lastedSeconds }) => seconds(lastedSeconds),
    },
  ];
}
