import { useState } from 'preact/hooks';
import { pageSchema } from '../../../src/api/fields.ts';
import { type DecisionReport, decisionSchema, type GuardReport, pauseReasonTexts } from '../../../src/api/guard.ts';
import { type AuditEntry, auditEntrySchema } from '../../../src/api/guard-audit.ts';
import { notReadyText } from '../../../src/model/not-ready.ts';
import { act, listOf, objectOf, useData } from '../data.ts';
import { count, inWords, queryName, seconds } from '../format.ts';
import { LoadState } from '../load-state.tsx';
import { Action, Badge, type Column, Elapsed, Table, Time } from '../parts.tsx';
import type { SiteData } from '../site.ts';

const loadDecisions = listOf('/api/v1/guard/decisions', decisionSchema);
const loadAudit = objectOf('/api/v1/guard/audit?limit=100', pageSchema(auditEntrySchema));

/** Policies with their readiness, decisions, circuit breakers and the audit log. */
export function Guard({ site: { guard, now } }: { readonly site: SiteData }) {
  const decisions = useData('decisions', loadDecisions);
  const audit = useData('audit', loadAudit);
  const state = guard.value;
  return (
    <>
      <h2>Guard</h2>
      <LoadState loaded={guard} what="state of the guard" />
      {state !== undefined && <GuardState guard={state} />}
      {state !== undefined && state.breakers.length > 0 && <Breakers guard={state} now={now} />}
      {state !== undefined && state.policies.length > 0 && <Policies guard={state} now={now} />}
      {state !== undefined && state.budgets.length > 0 && <Budgets guard={state} />}
      <h2>Decisions</h2>
      <LoadState loaded={decisions} what="decisions" />
      <Table
        label="Decisions"
        columns={decisionColumns(now)}
        rows={decisions.value}
        keyOf={({ cluster, key, at }) => [cluster, key, at].join(' ')}
        empty="The guard has made no decision since graphwarden started."
      />
      <h2>Audit log</h2>
      <LoadState loaded={audit} what="audit log" />
      <Table
        label="Audit log"
        columns={auditColumns(now)}
        rows={audit.value?.items}
        keyOf={({ kind, at, id, action, subject }) => [kind, at, id, action, subject].join(' ')}
        empty="The audit log is empty."
      />
    </>
  );
}

function GuardState({ guard }: { readonly guard: GuardReport }) {
  const [isResuming, setResuming] = useState(false);
  const { paused, reasons, clusters, mode, policies, readiness } = guard;
  const pausedClusters = clusters.filter((one) => one.reasons.some((reason) => !reasons.includes(reason)));
  const isAnyPaused = clusters.some((one) => one.paused);
  const enforcing = policies.filter((policy) => policy.mode === 'enforce').length;
  if (policies.length === 0 && !isAnyPaused) {
    return <p class="soft">No policy is in force: the guard aborts nothing.</p>;
  }
  const enforced = readiness.filter((one) => one.mode === 'enforce');
  const held = enforced.reduce((sum, one) => sum + one.held, 0);
  const needsAttention = isAnyPaused || enforced.some(({ ready }) => !ready);
  return (
    <div class={`card edge-${needsAttention ? 'orange' : enforcing > 0 ? 'green' : 'blue'}`}>
      <p>
        <strong>
          {paused
            ? 'Paused: nothing is aborted'
            : `Mode ${mode}: ${count(enforcing, 'policy')} of ${policies.length} may abort queries`}
        </strong>
      </p>
      {reasons.map((reason) => (
        <p key={reason}>{`${inSentence(pauseReasonTexts[reason])}.`}</p>
      ))}
      {pausedClusters.map((one) => (
        <p key={one.cluster}>
          {`Paused on ${one.cluster}: nothing is aborted there, because ${ownReasons(one, reasons).join(', and ')}.`}
        </p>
      ))}
      <div class="actions">
        {!paused && <Action label="Pause the guard" run={() => act('POST', '/api/v1/guard/pause')} />}
        {isAnyPaused && !isResuming && (
          <button type="button" onClick={() => setResuming(true)}>
            Resume…
          </button>
        )}
        {isAnyPaused && isResuming && (
          <>
            <span>{`Matching queries get a new grace period; ${count(held, 'query')} would be aborted after it.`}</span>
            <Action label="Resume the guard" isDangerous run={() => act('POST', '/api/v1/guard/resume')} />
          </>
        )}
      </div>
    </div>
  );
}

/** Returns the reasons of a cluster that do not hold for every cluster, in words. */
function ownReasons({ reasons }: GuardReport['clusters'][number], common: GuardReport['reasons']): readonly string[] {
  return reasons.filter((reason) => !common.includes(reason)).map((reason) => pauseReasonTexts[reason]);
}

function inSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Readiness = GuardReport['readiness'][number];

/** Description of each policy, and a row for each policy and node: whether it can act and, if not, why and since when. */
function Policies({ guard: { readiness, policies }, now }: { readonly guard: GuardReport; readonly now: number }) {
  const columns: readonly Column<Readiness>[] = [
    { title: 'Policy', sort: ({ policy }) => policy, cell: ({ policy }) => policy },
    { title: 'Mode', sort: ({ mode }) => mode, cell: ({ mode }) => <span class="whole">{mode}</span> },
    {
      title: 'Node',
      sort: ({ cluster, node }) => `${cluster}/${node}`,
      cell: ({ cluster, node }) => `${cluster}/${node}`,
    },
    {
      title: 'Can act',
      sort: ({ ready }) => Number(ready),
      cell: ({ ready, reasons }) =>
        ready ? <span class="green">✓ yes</span> : <span class="red">{`✕ no: ${notReadyText(reasons)}`}</span>,
    },
    { title: 'For', cell: ({ since }) => <Elapsed since={since} now={now} /> },
    { title: 'Held queries', sort: ({ held }) => held, cell: ({ held }) => held },
  ];
  return (
    <>
      <h2>Policies</h2>
      <Table
        label="Policies"
        columns={columns}
        rows={readiness.toSorted((one, other) => Number(one.ready) - Number(other.ready))}
        keyOf={({ cluster, policy, node }) => [cluster, policy, node].join(' ')}
        empty="No policy applies to a node."
      />
      {policies.map(({ name, sentences }) => (
        <details key={name}>
          <summary>{`What ${name} does`}</summary>
          <p class="lines">{sentences.join('\n')}</p>
        </details>
      ))}
    </>
  );
}

type Budget = GuardReport['budgets'][number];

const budgetColumns: readonly Column<Budget>[] = [
  {
    title: 'Budget of',
    sort: ({ cluster, node }) => `${cluster}/${node}`,
    cell: ({ cluster, node }) => (node === '' ? `${cluster}, all nodes` : `${cluster}/${node}`),
  },
  {
    title: 'Remaining',
    sort: ({ left }) => left,
    cell: ({ left, max }) => (
      <span class={left === 0 ? 'orange' : ''}>{`${left === 0 ? '! ' : ''}${left} of ${max}`}</span>
    ),
  },
  { title: 'Within', sort: ({ withinSeconds }) => withinSeconds, cell: ({ withinSeconds }) => seconds(withinSeconds) },
];

/** Aborts that are left in the budgets of all policies together. */
function Budgets({ guard: { budgets } }: { readonly guard: GuardReport }) {
  return (
    <>
      <h2>Remaining budgets</h2>
      <Table
        label="Remaining budgets"
        columns={budgetColumns}
        rows={budgets}
        keyOf={({ cluster, node }) => `${cluster} ${node}`}
        empty="No policy applies to a cluster."
      />
    </>
  );
}

const breakerReasons: Readonly<Record<GuardReport['breakers'][number]['reason'], string>> = {
  same_query: 'clients repeated the query after each abort',
  no_relief: 'aborts did not relieve the pressure',
  credential: 'the server refused the abort credential',
};

function Breakers({ guard: { breakers }, now }: { readonly guard: GuardReport; readonly now: number }) {
  return (
    <>
      <h2>Open circuit breakers</h2>
      <div class="cards">
        {breakers.map(({ cluster, key, reason, query, graph, policy, since }) => (
          <article class="card edge-orange" key={`${cluster} ${key}`}>
            <p>
              <Badge color="orange">open</Badge> {cluster}: {breakerReasons[reason]}
              {query !== '' && ` (${query} of ${graph})`}
              {policy !== '' && ` (${policy})`}, for <Elapsed since={since} now={now} />
            </p>
            <div class="actions">
              <Action
                label="Close the circuit breaker"
                isDangerous
                run={() => act('POST', '/api/v1/guard/breakers/reset', { cluster, breaker: key })}
              />
            </div>
          </article>
        ))}
      </div>
    </>
  );
}

/** Returns the columns of decisions. A finished abort is shown as a past event, not as a state. */
function decisionColumns(now: number): readonly Column<DecisionReport>[] {
  return [
    { title: 'Query', sort: ({ query }) => query, cell: queryName },
    { title: 'Decided', sort: ({ at }) => at, cell: ({ at }) => <Time at={at} now={now} /> },
    {
      title: 'Result',
      cell: ({ phase, outcome, mode, skipReason, delayReason }) => (
        <span class="whole">
          {[mode === 'observe' ? 'observed only' : (outcome ?? phase), inWords(skipReason ?? delayReason ?? '')]
            .filter((part) => part !== '')
            .join(': ')}
        </span>
      ),
    },
    {
      title: 'Policy',
      sort: ({ policy }) => policy,
      cell: ({ policy, manual }) => (manual === null ? policy : `by ${manual.by}`),
    },
    { title: 'Age', sort: ({ ageSeconds }) => ageSeconds, cell: ({ ageSeconds }) => seconds(ageSeconds) },
    { title: 'Node', cell: ({ cluster, node }) => `${cluster}/${node}` },
    { title: 'ID', cell: ({ id }) => <code>{id}</code> },
  ];
}

function auditColumns(now: number): readonly Column<AuditEntry>[] {
  return [
    { title: 'Time', sort: ({ at }) => at, cell: ({ at }) => <Time at={at} now={now} /> },
    {
      title: 'What',
      cell: (entry) => (entry.kind === 'abort' ? `abort of ${queryName(entry)}` : `${entry.action} ${entry.subject}`),
    },
    { title: 'By', sort: ({ by, policy }) => by || policy, cell: ({ by, policy }) => by || policy },
    {
      title: 'Outcome',
      sort: ({ outcome }) => outcome,
      cell: ({ outcome, skipReason }) => <span class="whole">{outcome || inWords(skipReason) || '–'}</span>,
    },
    { title: 'Reason', cell: ({ reason }) => reason },
    { title: 'Place', cell: ({ cluster, node }) => (node === '' ? cluster : `${cluster}/${node}`) },
    {
      title: 'Evidence',
      cell: ({ ageSeconds, grantedTimeoutSeconds, pressures }) =>
        [
          ...(ageSeconds === null ? [] : [`age ${seconds(ageSeconds)}`]),
          ...(grantedTimeoutSeconds === null ? [] : [`timeout ${seconds(grantedTimeoutSeconds)}`]),
          ...Object.entries(pressures).map(([name, value]) => `${name} ${value}`),
        ].join(', '),
    },
  ];
}
