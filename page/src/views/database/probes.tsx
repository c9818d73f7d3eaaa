import { useState } from 'preact/hooks';
import { type ProbeReport, probeSchema } from '../../../../src/api/probes.ts';
import type { StateColor } from '../../../../src/model/service.ts';
import { daemonTime, listOf, metricsOf, useData } from '../../data.ts';
import { inWords, localMoment, percent, seconds } from '../../format.ts';
import { LoadState } from '../../load-state.tsx';
import { Action, type Column, Due, Elapsed, StateWord, Table } from '../../parts.tsx';
import { ofCluster, type SectionProps } from './section.tsx';

const loadProbes = listOf('/api/v1/probes', probeSchema);

type State = ProbeReport['state'];

/** Color of each state, in the order of the table. */
const stateColors: Readonly<Record<State, StateColor>> = { failing: 'red', unknown: 'grey', healthy: 'green' };
const states = Object.keys(stateColors);

/** Probes with their last runs, failing ones first. */
export function Probes({ site: { now }, cluster }: SectionProps) {
  const probes = useData('probes', loadProbes);
  const shown = ofCluster(probes.value, cluster).map((probe) => ({ ...probe, state: stateAt(probe, now) }));
  return (
    <section>
      <h2>Probes</h2>
      <LoadState loaded={probes} what="probes" />
      <Table
        label="Probes"
        columns={columnsAt(now)}
        rows={probes.value && shown.toSorted((one, other) => rankOf(one) - rankOf(other))}
        keyOf={(one) => [one.cluster, one.probe, one.node].join(' ')}
        empty="No probe is configured: add probes to the configuration to check what clients depend on."
      />
    </section>
  );
}

/** Returns the state of a probe. It becomes unknown when the result is outdated, also while graphwarden does not answer. */
function stateAt({ state, validUntil }: ProbeReport, now: number): State {
  return validUntil === null || Date.parse(validUntil) <= now ? 'unknown' : state;
}

function rankOf({ state }: ProbeReport): number {
  return states.indexOf(state);
}

function columnsAt(now: number): readonly Column<ProbeReport>[] {
  return [
    {
      title: 'Probe',
      sort: ({ probe }) => probe,
      cell: ({ probe, kind, graph }) => (
        <>
          {probe}
          <div class="soft">{`${inWords(kind)} (${graph})`}</div>
        </>
      ),
    },
    { title: 'State', sort: rankOf, cell: (probe) => <ProbeState probe={probe} /> },
    {
      title: 'Last run',
      sort: ({ lastRun }) => lastRun ?? '',
      cell: ({ lastRun }) =>
        lastRun === null ? (
          'not run yet'
        ) : (
          <>
            <Elapsed since={lastRun} now={now} /> ago
          </>
        ),
    },
    {
      title: 'Duration',
      sort: ({ durationSeconds }) => durationSeconds ?? -1,
      cell: (probe) => <Duration probe={probe} />,
    },
    {
      title: 'Age of the data',
      sort: ({ resultAgeSeconds }) => resultAgeSeconds ?? -1,
      cell: ({ resultAgeSeconds }) => seconds(resultAgeSeconds),
    },
    { title: 'Success', sort: ({ successRatio }) => successRatio ?? -1, cell: (probe) => <Objective probe={probe} /> },
    {
      title: 'Place',
      sort: ({ cluster, node }) => `${cluster}/${node}`,
      cell: ({ cluster, node, source }) =>
        node === '' ? `${cluster} (from ${source || 'no node'})` : `${cluster}/${node}`,
    },
    { title: 'Next run', sort: ({ nextRun }) => nextRun ?? '', cell: ({ nextRun }) => <Due at={nextRun} now={now} /> },
    { title: 'Run', cell: (probe) => <RunNow probe={probe} /> },
  ];
}

/** State in words, with what failed and what to do about it. */
function ProbeState({ probe: { state, lastRun, reason, message, advice } }: { readonly probe: ProbeReport }) {
  const isOld = state === 'unknown' && lastRun !== null;
  const text = isOld ? 'unknown: the last run is too long ago' : state;
  return (
    <>
      <StateWord color={stateColors[state]}>{reason === '' || isOld ? text : `${text} (${inWords(reason)})`}</StateWord>
      {reason !== '' && <div>{isOld ? `It failed (${inWords(reason)}): ${message}` : message}</div>}
      {reason !== '' && <div class="soft">{advice}</div>}
    </>
  );
}

function Duration({ probe: { durationSeconds, limitSeconds, phases } }: { readonly probe: ProbeReport }) {
  if (durationSeconds === null) return <span>–</span>;
  const parts = Object.entries(phases).map(([phase, length]) => `${phase} ${seconds(length)}`);
  return (
    <>
      {`${seconds(durationSeconds)} of ${seconds(limitSeconds)}`}
      <div class="soft">{parts.join(', ')}</div>
    </>
  );
}

/** Share of successful runs, highlighted if it is below the objective. */
function Objective({
  probe: { successRatio, objective, windowSeconds, runs, failures },
}: {
  readonly probe: ProbeReport;
}) {
  const share = successRatio === null ? '–' : percent(successRatio);
  const isBelow = successRatio !== null && successRatio < objective;
  return (
    <>
      <span class={isBelow ? 'orange' : ''}>{`${isBelow ? '! ' : ''}${share}, objective ${percent(objective)}`}</span>
      <div class="soft">{`in ${seconds(windowSeconds)}; ${failures} of ${runs} runs failed`}</div>
    </>
  );
}

/** Button that runs a probe on request and shows the result, which the list does not contain. */
function RunNow({ probe }: { readonly probe: ProbeReport }) {
  const [result, setResult] = useState('');
  return (
    <>
      <Action label="Run now" run={async () => setResult(await runNow(probe))} />
      {result !== '' && <output>{result}</output>}
    </>
  );
}

async function runNow({ cluster, node, probe }: ProbeReport): Promise<string> {
  const query = new URLSearchParams({ module: probe, target: node === '' ? cluster : `${cluster}/${node}` });
  const page = await metricsOf(`/probe?${query}`);
  const time = localMoment(new Date(daemonTime()).toISOString(), daemonTime());
  if (/^probe_success 1$/m.test(page)) {
    const [, duration = ''] = /^graphdb_probe_duration_seconds\{.*\} (\S+)$/m.exec(page) ?? [];
    return ` ${time}: succeeded in ${seconds(Number(duration))}`;
  }
  const [, reason = 'no result'] = /^graphdb_probe_failing\{.*reason="(\w+)".*\} 1$/m.exec(page) ?? [];
  return ` ${time}: failed (${inWords(reason)})`;
}
