import { useMemo, useState } from 'preact/hooks';
import { checkSchema } from '../../../src/api/clusters.ts';
import { auditEntrySchema } from '../../../src/api/guard-audit.ts';
import { notificationSchema } from '../../../src/api/notifications.ts';
import { transitionSchema } from '../../../src/api/services.ts';
import { formatDuration } from '../../../src/kernel/duration.ts';
import { historyDelay, listOf, useData } from '../data.ts';
import { LoadState } from '../load-state.tsx';
import { Filter, valuesOf } from '../parts.tsx';
import type { SiteData } from '../site.ts';
import { between, moved, type TimeView, viewLengths, windowOf, zoomed } from '../time-view.ts';
import { marksOf } from '../timeline-marks.ts';
import { type BandLevel, bandRows } from '../timeline-rows.ts';
import { Bands } from './bands.tsx';
import { EventTable } from './event-table.tsx';

/** Step in ms to which the times of the window are rounded, so that it does not change every second. */
const step = 10_000;

const hour = 3_600_000;

/** State bands and marks of a part of the past, with the same events as a table. */
export function Timeline({ site }: { readonly site: SiteData }) {
  const { services, alerts, parameters } = site;
  const now = Math.ceil(site.now / step) * step;
  const [view, setView] = useState<TimeView>(() => firstView(parameters, now));
  const [cluster, setCluster] = useState(parameters.get('cluster') ?? '');
  const [service, setService] = useState('');
  const [level, setLevel] = useState<BandLevel>('replica');
  const path = new URLSearchParams({ since: sinceOf(view, now), ...(cluster === '' ? {} : { cluster }) }).toString();
  const history = useData(path, () => loadHistory(path), historyDelay);
  const all = services.value ?? [];
  const chosen = all.filter(
    (one) => (cluster === '' || one.cluster === cluster) && (service === '' || one.service === service),
  );
  const window = windowOf(view, now);
  const { transitions = [], ...rest } = history.value ?? {};
  const own = transitions.filter((one) => service === '' || one.service === service);
  const knownUntil = site.isCurrent ? undefined : site.asOf;
  const rows = useMemo(
    () => bandRows({ services: chosen, transitions: own, level, knownUntil }, window),
    [services.value, history.value, cluster, service, level, knownUntil, window.from, window.to],
  );
  const marks = useMemo(
    () =>
      marksOf(
        { alerts: alerts.value ?? [], services: all, transitions, notifications: [], audit: [], checks: [], ...rest },
        window,
        cluster,
        now,
      ),
    [alerts.value, services.value, history.value, cluster, window.from, window.to],
  );
  return (
    <>
      <h2>Timeline</h2>
      <div class="filters">
        <Filter name="Cluster" values={valuesOf(all, (one) => one.cluster)} value={cluster} onChange={setCluster} />
        <Filter name="Service" values={valuesOf(all, (one) => one.service)} value={service} onChange={setService} />
        <label>
          One band for each
          <select value={level} onChange={({ currentTarget }) => setLevel(levelOf(currentTarget.value))}>
            {levels.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </div>
      <LoadState loaded={history} what="history" />
      <div
        role="toolbar"
        aria-label="Time range"
        class="filters"
        onKeyDown={(event) => onKey(event, view, now, setView)}
      >
        <ZoomButtons view={view} now={now} onChange={setView} />
      </div>
      {history.value !== undefined && (
        <Bands
          rows={rows}
          marks={marks}
          window={window}
          now={now}
          onSelect={(one, other) => setView(between(one, other, now))}
        />
      )}
      <h2>Events</h2>
      <EventTable transitions={own} marks={marks} window={window} now={site.now} />
    </>
  );
}

/** Returns the initial view: around the time in the parameter `at`, such as the start of an incident, or the latest time. */
function firstView(parameters: URLSearchParams, now: number): TimeView {
  const at = Date.parse(parameters.get('at') ?? '');
  return Number.isNaN(at) ? { length: hour, end: undefined } : between(at - hour / 2, at + hour / 2, now);
}

/** Returns the start of the requested transitions. They are requested until now, because later ones determine the statuses in the window. */
function sinceOf(view: TimeView, now: number): string {
  return view.end === undefined ? formatDuration(view.length) : new Date(windowOf(view, now).from).toISOString();
}

/** Loads one list after the other: the daemon limits the requests of one client that read history at the same time. */
async function loadHistory(path: string) {
  const transitions = await listOf(`/api/v1/transitions?${path}`, transitionSchema)();
  const audit = await listOf(`/api/v1/guard/audit?${path}`, auditEntrySchema)();
  const notifications = await listOf(`/api/v1/notifications?${path}`, notificationSchema)();
  const checks = await listOf('/api/v1/checks', checkSchema)();
  return { transitions, audit, notifications, checks };
}

const levels: readonly BandLevel[] = ['replica', 'partition', 'service'];

function levelOf(text: string): BandLevel {
  return levels.find((one) => one === text) ?? 'replica';
}

type ChangeView = (view: TimeView) => void;

/** Handles keys while a button of the time range has the focus. */
function onKey(event: KeyboardEvent, view: TimeView, now: number, onChange: ChangeView): void {
  const views: Readonly<Record<string, () => TimeView>> = {
    '+': () => zoomed(view, 'in', now),
    '-': () => zoomed(view, 'out', now),
    ArrowLeft: () => moved(view, 'earlier', now),
    ArrowRight: () => moved(view, 'later', now),
  };
  const next = Object.hasOwn(views, event.key) ? views[event.key] : undefined;
  if (next === undefined || event.target instanceof HTMLSelectElement) return;
  event.preventDefault();
  onChange(next());
}

interface ZoomProps {
  readonly view: TimeView;
  readonly now: number;
  readonly onChange: ChangeView;
}

function ZoomButtons({ view, now, onChange }: ZoomProps) {
  const lengths = viewLengths.includes(view.length) ? viewLengths : [...viewLengths, view.length];
  const isShortest = view.length <= (viewLengths[0] ?? 0);
  const isLongest = view.length >= (viewLengths.at(-1) ?? 0);
  return (
    <>
      <label>
        Range
        <select
          value={view.length}
          onChange={({ currentTarget }) => onChange({ ...view, length: Number(currentTarget.value) })}
        >
          {lengths.map((one) => (
            <option key={one} value={one}>
              {formatDuration(Math.round(one / 60_000) * 60_000)}
            </option>
          ))}
        </select>
      </label>
      <span class="buttons">
        <button type="button" disabled={isShortest} onClick={() => onChange(zoomed(view, 'in', now))}>
          + Zoom in
        </button>
        <button type="button" disabled={isLongest} onClick={() => onChange(zoomed(view, 'out', now))}>
          − Zoom out
        </button>
        <button type="button" onClick={() => onChange(moved(view, 'earlier', now))}>
          ← Earlier
        </button>
        <button type="button" disabled={view.end === undefined} onClick={() => onChange(moved(view, 'later', now))}>
          → Later
        </button>
        <button
          type="button"
          disabled={view.end === undefined}
          onClick={() => onChange({ length: view.length, end: undefined })}
        >
          Now
        </button>
      </span>
    </>
  );
}
