import { useState } from 'preact/hooks';
import {
  type CheckReport,
  type CheckRunReport,
  type ClusterReport,
  type CollectorReport,
  checkRunSchema,
  checkSchema,
} from '../../../src/api/clusters.ts';
import { act, listOf, useData } from '../data.ts';
import { seconds } from '../format.ts';
import { LoadState } from '../load-state.tsx';
import { Action, type Column, Due, Elapsed, Filter, Table, Time, valuesOf } from '../parts.tsx';
import type { SiteData } from '../site.ts';

const loadChecks = listOf('/api/v1/checks', checkSchema);
const loadRuns = listOf('/api/v1/checks/runs', checkRunSchema);

/** Results of the consistency checks, and the state of each collector, failures first, with what to do about them. */
export function Collectors({ site: { clusters, collectors, now } }: { readonly site: SiteData }) {
  const checks = useData('checks', loadChecks);
  const runs = useData('check runs', loadRuns);
  const [cluster, setCluster] = useState('');
  const [state, setState] = useState('');
  const all = collectors.value ?? [];
  const shown = all
    .filter((one) => cluster === '' || one.cluster === cluster)
    .filter((one) => state === '' || one.state === state)
    .toSorted((one, other) => states.indexOf(one.state) - states.indexOf(other.state));
  return (
    <>
      <h2>Consistency checks</h2>
      <LoadState loaded={checks} what="checks" />
      {collectors.value !== undefined && <Schedules collectors={all} now={now} />}
      <Table
        label="Consistency checks"
        columns={checkColumns(now)}
        rows={checks.value?.toSorted((one, other) => Number(one.passed) - Number(other.passed))}
        keyOf={({ cluster: own, check, graph, partition, engine }) => [own, check, graph, partition, engine].join(' ')}
        empty="No check has run yet."
      />
      <h3>Latest runs</h3>
      <LoadState loaded={runs} what="runs of the checks" />
      <Table
        label="Runs of the checks"
        columns={runColumns(now)}
        rows={runs.value}
        keyOf={({ cluster: own, check, endedAt }) => [own, check, endedAt].join(' ')}
        empty="No check has run since graphwarden started."
      />
      <h2>Collectors</h2>
      <LoadState loaded={collectors} what="collectors" />
      {(clusters.value ?? []).flatMap((one) => one.seriesDropped.map((dropped) => droppedInWords(one.name, dropped)))}
      <div class="filters">
        <Filter name="Cluster" values={valuesOf(all, (one) => one.cluster)} value={cluster} onChange={setCluster} />
        <Filter name="State" values={states} value={state} onChange={setState} />
      </div>
      <Table
        label="Collectors"
        columns={collectorColumns(now)}
        rows={collectors.value === undefined ? undefined : shown}
        keyOf={({ cluster: own, node, collector }) => [own, node, collector].join(' ')}
        empty="No collector matches."
      />
    </>
  );
}

/** Collector whose polls are the consistency checks. */
const checkCollector = 'consistency';

/** When the checks of each cluster run next, with a button that runs them now. */
function Schedules({ collectors, now }: { readonly collectors: readonly CollectorReport[]; readonly now: number }) {
  const scheduled = collectors.filter(({ collector }) => collector === checkCollector);
  if (scheduled.length === 0) {
    return (
      <p class="soft">
        No check is enabled. Checks put load on the cluster: set collectors.consistency.enabled to run them weekly.
      </p>
    );
  }
  return (
    <ul class="plain">
      {scheduled.map((one) => (
        <li key={one.cluster}>
          {one.cluster}: <CollectorState collector={one} now={now} />
          {one.nextPoll === null ? '' : ', next run '}
          {one.nextPoll !== null && <Time at={one.nextPoll} now={now} />} <Confirmed cluster={one.cluster} />
        </li>
      ))}
    </ul>
  );
}

/** Button with a confirmation, because the checks put load on every engine of the cluster. */
function Confirmed({ cluster }: { readonly cluster: string }) {
  const [state, setState] = useState<'idle' | 'asking' | 'started'>('idle');
  if (state === 'started') return <output>Started. The results are shown when the checks have ended.</output>;
  if (state === 'idle') {
    return (
      <button type="button" onClick={() => setState('asking')}>
        {`Run the checks of ${cluster} now…`}
      </button>
    );
  }
  return (
    <>
      <span>The checks put load on every engine of the cluster. </span>
      <Action
        label="Run the checks"
        isDangerous
        run={async () => {
          await act('POST', '/api/v1/checks/run', { cluster });
          setState('started');
        }}
      />
    </>
  );
}

/** States which series of a cluster are not on the metrics page, and why. */
function droppedInWords(cluster: string, { reason, series, families }: ClusterReport['seriesDropped'][number]) {
  const cause = reason.startsWith('series_per_') ? `over limits.${reason}` : reason.replaceAll('_', ' ');
  const names = families.filter((family) => family !== '').join(', ');
  return (
    <p key={`${cluster} ${reason}`} class="orange">
      {`${series} series of ${cluster} are not on the metrics page (${cause})${names === '' ? '' : `: ${names}`}.`}
    </p>
  );
}

const states: readonly CollectorReport['state'][] = ['failing', 'unknown', 'healthy'];

function checkColumns(now: number): readonly Column<CheckReport>[] {
  return [
    { title: 'Check', sort: ({ check }) => check, cell: ({ check }) => check },
    {
      title: 'Result',
      sort: ({ passed }) => Number(passed),
      cell: ({ passed, unsyncedEntries }) =>
        passed ? (
          <span class="green">✓ passed</span>
        ) : (
          <span class="red">{`✕ failed${unsyncedEntries === null ? '' : `: ${unsyncedEntries} entries differ`}`}</span>
        ),
    },
    {
      title: 'Place',
      cell: ({ cluster, graph, partition, engine }) =>
        [cluster, graph, partition, engine].filter((part) => part !== '').join(' / '),
    },
    {
      title: 'Age',
      sort: ({ lastRun }) => lastRun ?? '',
      cell: ({ lastRun }) => <Elapsed since={lastRun} now={now} />,
    },
  ];
}

const runVerdicts = {
  passed: { text: '✓ passed', color: 'green' },
  failed: { text: '✕ failed', color: 'red' },
  'no result': { text: '? no result', color: 'orange' },
} as const;

function runColumns(now: number): readonly Column<CheckRunReport>[] {
  return [
    { title: 'Ended', sort: ({ endedAt }) => endedAt, cell: ({ endedAt }) => <Time at={endedAt} now={now} /> },
    { title: 'Check', sort: ({ check }) => check, cell: ({ check }) => check },
    {
      title: 'Result',
      sort: ({ verdict }) => verdict,
      cell: ({ verdict, unsyncedEntries, message }) => (
        <>
          <span class={runVerdicts[verdict].color}>{runVerdicts[verdict].text}</span>
          {verdict === 'failed' && unsyncedEntries !== null && `: ${unsyncedEntries} entries differ`}
          {message !== '' && `: ${message}`}
        </>
      ),
    },
    {
      title: 'Duration',
      sort: ({ durationSeconds }) => durationSeconds ?? -1,
      cell: ({ durationSeconds }) => seconds(durationSeconds),
    },
    { title: 'Cluster', sort: ({ cluster }) => cluster, cell: ({ cluster }) => cluster },
  ];
}

function collectorColumns(now: number): readonly Column<CollectorReport>[] {
  return [
    {
      title: 'Collector',
      sort: ({ collector }) => collector,
      cell: ({ collector }) => <span class="whole">{collector}</span>,
    },
    {
      title: 'Place',
      sort: ({ cluster, node }) => `${cluster}/${node}`,
      cell: ({ cluster, node, source }) =>
        node === '' ? `${cluster} (from ${source || 'no node'})` : `${cluster}/${node}`,
    },
    {
      title: 'State',
      sort: ({ state }) => states.indexOf(state),
      cell: (collector) => <CollectorState collector={collector} now={now} />,
    },
    {
      title: 'Last success',
      sort: ({ lastSuccess }) => lastSuccess ?? '',
      cell: ({ lastSuccess }) => <Time at={lastSuccess} now={now} />,
    },
    {
      title: 'Duration',
      sort: ({ durationSeconds }) => durationSeconds ?? -1,
      cell: ({ durationSeconds }) => seconds(durationSeconds),
    },
    { title: 'Next', sort: ({ nextPoll }) => nextPoll ?? '', cell: ({ nextPoll }) => <Due at={nextPoll} now={now} /> },
    {
      title: 'Interval',
      sort: ({ intervalSeconds }) => intervalSeconds ?? -1,
      cell: ({ intervalSeconds }) => seconds(intervalSeconds),
    },
    {
      title: 'Series',
      sort: ({ series }) => series,
      cell: ({ series, seriesDropped }) => {
        const dropped = Object.values(seriesDropped).reduce((sum, count) => sum + count, 0);
        return dropped === 0 ? series : `${series}, ${dropped} dropped`;
      },
    },
  ];
}

/** State of a collector in words, with what to do if it fails. */
export function CollectorState({ collector, now }: { readonly collector: CollectorReport; readonly now: number }) {
  const { state, reason, message, since, advice } = collector;
  if (state === 'healthy') return <span class="green">✓ healthy</span>;
  if (state === 'unknown') return <span class="grey">? not polled yet</span>;
  return (
    <>
      <span class="red">
        {`✕ failing (${reason}) for `}
        <Elapsed since={since} now={now} />
      </span>
      {`: ${message}`}
      {advice !== '' && <div class="soft">{advice}</div>}
    </>
  );
}
