import { useState } from 'preact/hooks';
import type { CollectorReport } from '../../../src/api/clusters.ts';
import { type QueryReport, querySchema } from '../../../src/api/queries.ts';
import { act, listOf, useData } from '../data.ts';
import { elapsedSince, inWords, queryName, seconds } from '../format.ts';
import { LoadState } from '../load-state.tsx';
import { type Column, Filter, Table, valuesOf } from '../parts.tsx';
import type { SiteData } from '../site.ts';
import { CollectorState } from './collectors.tsx';
import { Durations } from './durations.tsx';

const loadQueries = listOf('/api/v1/queries', querySchema);

/** Running and delayed queries of all nodes, with what the guard will do with each. */
export function Queries({ site: { collectors, now, parameters } }: { readonly site: SiteData }) {
  const queries = useData('queries', loadQueries);
  const [cluster, setCluster] = useState(parameters.get('cluster') ?? '');
  const [node, setNode] = useState('');
  const [graph, setGraph] = useState('');
  const all = queries.value ?? [];
  const shown = all
    .filter((query) => cluster === '' || query.cluster === cluster)
    .filter((query) => node === '' || query.node === node)
    .filter((query) => graph === '' || query.graph === graph)
    .toSorted((one, other) => (other.ageSeconds ?? 0) - (one.ageSeconds ?? 0));
  const polls = (collectors.value ?? [])
    .filter((one) => one.collector === 'queries')
    .filter((one) => (cluster === '' || one.cluster === cluster) && (node === '' || one.node === node));
  const failing = polls.filter(({ state }) => state !== 'healthy');
  return (
    <>
      <h2>Queries</h2>
      <LoadState loaded={queries} what="queries" />
      <MissingLists failing={failing} now={now} />
      <div class="filters">
        <Filter name="Cluster" values={valuesOf(all, (query) => query.cluster)} value={cluster} onChange={setCluster} />
        <Filter name="Node" values={valuesOf(all, (query) => query.node)} value={node} onChange={setNode} />
        <Filter name="Graph" values={valuesOf(all, (query) => query.graph)} value={graph} onChange={setGraph} />
      </div>
      {shown.length > 0 && <p>{`${runningOf(shown)} running, ${shown.length - runningOf(shown)} delayed`}</p>}
      {queries.value !== undefined && collectors.value !== undefined && failing.length < polls.length && (
        <Table
          label="Queries"
          columns={columnsAt(now)}
          rows={shown}
          keyOf={({ cluster: own, node: on, id, state }) => [own, on, id, state].join(' ')}
          empty={`No query runs or waits in the latest lists${failing.length === 0 ? '' : ' of the other nodes'}.`}
        />
      )}
      <Durations cluster={cluster} graph={graph} />
    </>
  );
}

function runningOf(queries: readonly QueryReport[]): number {
  return queries.filter(({ state }) => state === 'running').length;
}

/** Maximum number of nodes that are listed. */
const maxListed = 8;

interface MissingListsProps {
  readonly failing: readonly CollectorReport[];
  readonly now: number;
}

/** Nodes without a process list: their queries are unknown. */
function MissingLists({ failing, now }: MissingListsProps) {
  if (failing.length === 0) return null;
  return (
    <ul class="plain" aria-label="Nodes without a process list">
      {failing.slice(0, maxListed).map((one) => (
        <li key={`${one.cluster} ${one.node}`}>
          {`Queries of ${one.cluster}/${one.node} unknown: `}
          <CollectorState collector={one} now={now} />
        </li>
      ))}
      {failing.length > maxListed && <li>{`${failing.length - maxListed} more`}</li>}
    </ul>
  );
}

function columnsAt(now: number): readonly Column<QueryReport>[] {
  return [
    { title: 'Query', sort: ({ query }) => query, cell: queryName },
    {
      title: 'Age',
      sort: ({ ageSeconds }) => ageSeconds ?? -1,
      cell: (query) => <Age query={query} now={now} />,
    },
    { title: 'Timeout', sort: timeoutOf, cell: ({ grantedTimeoutSeconds }) => seconds(grantedTimeoutSeconds) },
    { title: 'Guard', sort: ({ earliestAbortAt }) => earliestAbortAt ?? '9', cell: (query) => guardText(query, now) },
    { title: 'State', sort: ({ state }) => state, cell: ({ state }) => <span class="whole">{state}</span> },
    {
      title: 'Node',
      sort: ({ cluster, node }) => `${cluster}/${node}`,
      cell: ({ cluster, node }) => `${cluster}/${node}`,
    },
    { title: 'ID', cell: ({ id }) => <code>{id}</code> },
    { title: 'Action', cell: (query) => <Abort query={query} /> },
  ];
}

function timeoutOf({ grantedTimeoutSeconds }: QueryReport): number {
  return grantedTimeoutSeconds ?? Number.MAX_VALUE;
}

/** Age of a query. The time since the poll of the list is added while the list is recent. */
function Age({ query: { ageSeconds, asOf, overdue }, now }: { readonly query: QueryReport; readonly now: number }) {
  const sinceList = Math.max(0, (now - Date.parse(asOf)) / 1000);
  if (ageSeconds === null) return <span>–</span>;
  return (
    <span class={overdue ? 'red' : ''} title={`Process list from ${elapsedSince(asOf, now)} ago`}>
      {seconds(ageSeconds + sinceList)}
      {overdue && ', overdue'}
    </span>
  );
}

/** Returns what the guard will do, such as `abort in 12s by runaway` or `held: cooldown`. */
function guardText(
  { policy, mode, earliestAbortAt, held, heldUntil, protected: isProtected }: QueryReport,
  now: number,
): string {
  if (isProtected === true) return 'protected';
  if (policy === null) return '–';
  const verb = mode === 'observe' ? 'would abort' : 'abort';
  if (held !== null) {
    const until = heldUntil === null ? '' : `, ${seconds(Math.max(0, Date.parse(heldUntil) - now) / 1000)} left`;
    return `${policy}: held (${inWords(held)}${until})`;
  }
  if (earliestAbortAt === null) return `${policy}: cannot act on this node`;
  const left = Math.max(0, (Date.parse(earliestAbortAt) - now) / 1000);
  return left === 0 ? `${policy}: ${verb} now` : `${policy}: ${verb} in ${seconds(Math.ceil(left))}`;
}

/** Aborts a query by hand, with a reason for the audit log. */
function Abort({ query }: { readonly query: QueryReport }) {
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const [message, setMessage] = useState('');
  if (query.state === 'delayed') return null;
  const { cluster, node, id } = query;
  const path = ['clusters', cluster, 'nodes', node, 'queries', id].map(encodeURIComponent).join('/');
  const abort = (): void => {
    act('POST', `/api/v1/${path}/abort`, { reason }).then(
      () => setMessage('Abort requested; its outcome is in the audit log.'),
      (error: unknown) => setMessage(error instanceof Error ? error.message : String(error)),
    );
  };
  if (!isAsking) {
    return (
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        Abort…
      </button>
    );
  }
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        abort();
      }}
    >
      <label>
        Reason
        <input required maxLength={1000} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <button type="submit" class="danger">
        Abort the query
      </button>
      <output>{message}</output>
    </form>
  );
}
