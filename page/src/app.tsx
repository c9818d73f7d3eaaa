import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isOngoing } from '../../src/api/cluster-state.ts';
import { replicaLines } from '../../src/api/replica-lines.ts';
import { formatElapsed } from '../../src/kernel/duration.ts';
import { connectEvents, oldAfter, settings, useAddress } from './data.ts';
import { type SiteData, useSite } from './site.ts';
import { Alerts } from './views/alerts.tsx';
import { Collectors } from './views/collectors.tsx';
import { Database } from './views/database.tsx';
import { Guard } from './views/guard.tsx';
import { Incident } from './views/incident.tsx';
import { Overview } from './views/overview.tsx';
import { Queries } from './views/queries.tsx';
import { Timeline } from './views/timeline.tsx';

const views = [
  { path: '', title: 'Overview' },
  { path: 'alerts', title: 'Alerts' },
  { path: 'timeline', title: 'Timeline' },
  { path: 'queries', title: 'Queries' },
  { path: 'guard', title: 'Guard' },
  { path: 'database', title: 'Database' },
  { path: 'collectors', title: 'Checks and collectors' },
] as const;

/** The status page: a bar with the views and the age of the data, and one view. */
export function App() {
  const { view, parameters } = useAddress();
  const [isConnected, setConnected] = useState(false);
  useEffect(() => connectEvents(setConnected), []);
  const site = useSite(parameters);
  const nav = useRef<HTMLElement>(null);
  // On a phone, the views do not fit next to each other.
  useEffect(() => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [view]);
  const firing = (site.alerts.value ?? []).filter(isOngoing);
  const mark = site.isCurrent ? firing.length : '?';
  useLayoutEffect(() => {
    document.title = mark === 0 ? 'graphwarden' : `(${mark}) graphwarden`;
  }, [mark]);
  return (
    <>
      <header class="bar">
        <h1>graphwarden</h1>
        <nav aria-label="Views" ref={nav}>
          {views.map(({ path, title }) => (
            <a key={path} href={`#/${path}`} aria-current={path === view ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <Age site={site} isConnected={isConnected} />
      </header>
      <main>
        {settings.notice !== '' && <p class="notice">{settings.notice}</p>}
        <RejectedConfig site={site} />
        <ReplicaProblems site={site} />
        <View name={view} site={site} />
      </main>
      <footer class="soft">
        graphwarden {settings.version} · <a href={`${settings.prefix}/docs/runbook`}>Runbook</a> ·{' '}
        <a href={`${settings.prefix}/docs/metrics`}>Metrics reference</a> ·{' '}
        <a href={`${settings.prefix}/metrics`}>Metrics</a> · <a href={`${settings.prefix}/api/v1/openapi.json`}>API</a>{' '}
        · Times in {timeZone}
      </footer>
    </>
  );
}

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function View({ name, site }: { readonly name: string; readonly site: SiteData }) {
  if (name === '') return <Overview site={site} />;
  if (name === 'alerts') return <Alerts site={site} />;
  if (name === 'timeline') return <Timeline site={site} />;
  if (name === 'queries') return <Queries site={site} />;
  if (name === 'guard') return <Guard site={site} />;
  if (name === 'database') return <Database site={site} />;
  if (name === 'collectors') return <Collectors site={site} />;
  if (name.startsWith('incidents/')) return <Incident id={name.slice('incidents/'.length)} site={site} />;
  return (
    <p>
      There is no view «{name}». <a href="#/">Overview</a>
    </p>
  );
}

function Age({
  site: { alerts, clusters, now },
  isConnected,
}: {
  readonly site: SiteData;
  readonly isConnected: boolean;
}) {
  const oldest = Math.min(alerts.at ?? Number.NaN, clusters.at ?? Number.NaN);
  if (Number.isNaN(oldest)) {
    const hasFailed = alerts.error !== undefined || clusters.error !== undefined;
    return <span class={hasFailed ? 'age old' : 'age'}>{hasFailed ? 'No data' : 'Loading…'}</span>;
  }
  const isOld = now - oldest > oldAfter;
  const age = Math.round((now - oldest) / 1000) * 1000;
  const text = age < 1000 ? 'Updated now' : `Updated ${formatElapsed(age)} ago`;
  return (
    <span class={isOld ? 'age old' : 'age'} role={isOld ? 'alert' : undefined}>
      {isOld ? `Data is old. ${text}` : text}
      {!isConnected && ' · no live updates'}
    </span>
  );
}

function RejectedConfig({ site: { guard } }: { readonly site: SiteData }) {
  const rejected = guard.value?.rejectedConfig;
  if (rejected === null || rejected === undefined) return null;
  return (
    <p class="notice red" role="alert">
      A configuration file is rejected; its last accepted version is in force. {rejected.problem}
    </p>
  );
}

/** Problems of the replicas that share a database. */
function ReplicaProblems({ site: { replicas, now } }: { readonly site: SiteData }) {
  const lines = replicas.value === undefined ? [] : replicaLines(replicas.value, now);
  const problems = lines.filter(({ isProblem }) => isProblem);
  if (problems.length === 0) return null;
  return (
    <div class="notice" role="alert">
      {problems.map(({ text }) => (
        <p key={text}>{text}.</p>
      ))}
    </div>
  );
}
