import { type QueryExplanationReport, queryExplanationSchema } from '../../api/guard-why.ts';
import { ok } from '../../kernel/result.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import { notReadyText } from '../../model/not-ready.ts';
import type { Command } from '../command.ts';
import { daemonFlags, fetchResponse, withDaemon } from '../daemon-api.ts';
import { queryPath } from '../guard-actions.ts';
import { formatJson } from '../print.ts';
import { formatClock, formatTable, formatTimeCell, type Terminal, wrap } from '../table.ts';

type PolicyReport = QueryExplanationReport['policies'][number];
type ConditionReport = PolicyReport['conditions'][number];

/** Explains what the guard does with one query. */
export const guardWhy: Command = {
  flags: [{ name: 'json', about: 'print the explanation as JSON' }, ...daemonFlags],
  arguments: ['<CLUSTER/NODE>', '<ID>'],
  details:
    'ID is the id that `queries` prints. An unknown condition counts as false in `when` and `gate`, and exempts the ' +
    'query in `unless` and `protect`. For a query that is no longer listed, the command prints its aborts.',
  examples: ['guard why prod/m2 65687.RESTPP_1_2.1795271976309.N'],
  run: (given, ports) => {
    const [target = '', id = ''] = given.arguments;
    const path = `${queryPath(target, id)}/why`;
    return withDaemon(given, ports, async (api) => {
      const found = await fetchResponse(api, { method: 'GET', path }, queryExplanationSchema);
      if (!found.ok) return found;
      return ok('json' in given.flags ? formatJson(found.value) : explanationText(found.value, ports.stdout));
    });
  },
};

/** Explanation as text. */
export function explanationText(report: QueryExplanationReport, terminal?: Terminal): string {
  const { protections, policies, aborts, kind } = report;
  const isVictim = kind === 'installed' && protections.length === 0;
  return [
    textLines(queryLine(report), ...noVictimLines(report)),
    ...protections.map((one) => `protected by guard.protect\n${conditionTable(one, terminal)}`),
    ...policies.map((one) => policyPart(one, { report, terminal, isVictim })),
    ...(aborts.length === 0 ? [] : [abortTable(aborts, terminal)]),
  ].join('\n');
}

function queryLine({ cluster, node, id, listing, listedAt, graph, query, ageSeconds }: QueryExplanationReport): string {
  const target = `${cluster}/${node} ${id}`;
  if (listing === 'listed') return `${target}\n${query} on ${graph}, running for ${formatClock(ageSeconds)}`;
  if (listing === 'skipped')
    return `${target}\nskipped: the entry in the process list is malformed, or its ages disagree`;
  if (listing === 'no_list')
    return `${target}\nunknown: no recent process list of the node${listedAt === null ? '' : `, the query was last listed at ${formatTimeCell(listedAt)}`}`;
  const last = listedAt === null ? 'in the last 5 minutes' : `since ${formatTimeCell(listedAt)}`;
  return `${target}\nnot listed ${last}`;
}

function noVictimLines({ listing, kind, policies, aborts }: QueryExplanationReport): readonly string[] {
  if (listing === 'not_listed' && aborts.length === 0) return ['the audit has no abort of this query'];
  if (listing !== 'listed') return [];
  if (kind !== 'installed') return [`not an installed query (${kind}): no policy aborts it`];
  return policies.length === 0 ? ['no policy covers the cluster'] : [];
}

interface PolicyContext {
  readonly report: QueryExplanationReport;
  readonly terminal: Terminal | undefined;
  readonly isVictim: boolean;
}

function policyPart(policy: PolicyReport, { report, terminal, isVictim }: PolicyContext): string {
  const { matchesAt, earliestAbortAt, notReady, observations, observationsNeeded } = policy;
  const times =
    matchesAt === null || earliestAbortAt === null
      ? []
      : [`  match time ${formatTimeCell(matchesAt)}, earliest abort ${formatTimeCell(earliestAbortAt)}`];
  const reasons = wrap(
    `cannot act on the node: ${notReadyText(notReady)}`,
    (terminal?.columns ?? Number.POSITIVE_INFINITY) - 2,
  );
  const readiness = notReady.length === 0 ? [] : reasons.split('\n').map((line) => `  ${line}`);
  const seen = `  observed in ${Math.min(observations, observationsNeeded)} of ${observationsNeeded} lists`;
  const lines = [
    `policy ${policy.policy} (${policy.mode}): ${isVictim ? decisionText(policy, report) : 'does not abort the query'}`,
    ...times,
    ...(observations < observationsNeeded ? [seen] : []),
    ...readiness,
  ];
  return `${textLines(...lines)}${conditionTable(policy.conditions, terminal)}`;
}

/** Returns the state of the decision of the policy, or the reason for a delay. */
function decisionText(policy: PolicyReport, { asOf, policies }: QueryExplanationReport): string {
  const { mode, phase, held, heldSince, heldUntil, earliestAbortAt, matches, owned } = policy;
  const left = (until: string) => formatClock((Date.parse(until) - Date.parse(asOf)) / 1000);
  if (earliestAbortAt === null) return 'does not match';
  if (matches && !owned) {
    const owner = policies.find((one) => one.owned)?.policy ?? 'another policy';
    return `matches, but ${owner} takes precedence`;
  }
  if (phase === 'sent' || phase === 'verifying') return 'abort request sent';
  if (held !== null) {
    const since = heldSince === null ? '' : ` since ${formatTimeCell(heldSince)}`;
    return `held: ${words(held)}${since}${heldUntil === null ? '' : `, ${left(heldUntil)} left`}`;
  }
  return `${mode === 'enforce' ? 'abort' : 'would abort'} in ${left(earliestAbortAt)}`;
}

function words(reason: string): string {
  return reason.replaceAll('_', ' ');
}

function conditionTable(conditions: readonly ConditionReport[], terminal: Terminal | undefined): string {
  const rows = conditions.map(({ section, name, wanted, seen, holds }) => [
    holds === null ? 'unknown' : holds ? 'yes' : 'no',
    `${section}.${name}`,
    `${seen ?? (section === 'gate' ? 'no current value' : 'not listed by the server')} (wanted: ${wanted})`,
  ]);
  return formatTable(
    [['HOLDS', 'CONDITION', 'VALUE'], ...rows.map((row) => row.map(replaceControlCharacters))],
    terminal,
  );
}

function abortTable(aborts: QueryExplanationReport['aborts'], terminal: Terminal | undefined): string {
  const rows = aborts.map(({ at, policy, manual, outcome, endedAt }) =>
    [
      formatTimeCell(at),
      manual === null ? policy : `by ${manual.by}`,
      outcome === null ? '(open)' : words(outcome),
      endedAt === null ? '' : formatTimeCell(endedAt),
    ].map(replaceControlCharacters),
  );
  return formatTable([['ABORT AT', 'POLICY', 'OUTCOME', 'KNOWN AT'], ...rows], terminal);
}

function textLines(...texts: readonly string[]): string {
  return texts.map((text) => `${text.split('\n').map(replaceControlCharacters).join('\n')}\n`).join('');
}
