import type { FailureReason } from '../kernel/failure.ts';
import type { Millis } from '../kernel/time.ts';
import { replaceControlCharacters } from '../kernel/visible-text.ts';
import { formatTable, type Terminal } from './table.ts';

/** Result of one request. */
export interface Finding {
  readonly cluster: string;
  readonly node: string;
  readonly collector: string;
  readonly call: string;
  /**
   * `no_credential`: not requested, because no credentials are configured. `series_dropped`: the answers work, but a limit
   * drops series of them.
   */
  readonly reason: 'works' | 'no_credential' | 'series_dropped' | FailureReason;
  readonly latency: Millis;
  /** Error of the server and the remedy; empty if the request works. */
  readonly advice: string;
  /** Whether the collector works although this request fails. */
  readonly tolerated: boolean;
}

/** Text for each result. */
export const reasonLabels: Readonly<Record<Finding['reason'], string>> = {
  works: 'works',
  no_credential: 'no credentials',
  series_dropped: 'series dropped',
  auth: 'missing privilege',
  unsupported: 'unsupported by this version',
  unreachable: 'unreachable',
  timeout: 'timeout',
  tls: 'TLS error',
  status: 'error status',
  body: 'invalid response',
  too_large: 'response too large',
};

/** Results as a table. */
export function findingsTable(findings: readonly Finding[], terminal?: Terminal): string {
  const rows = findings.map((finding) => [
    `${finding.cluster}/${finding.node}`,
    finding.collector,
    finding.call,
    reasonLabels[finding.reason] + (finding.tolerated ? ', not required' : ''),
    `${Math.round(finding.latency)} ms`,
    replaceControlCharacters(finding.advice),
  ]);
  return formatTable([['NODE', 'COLLECTOR', 'REQUEST', 'RESULT', 'LATENCY', 'ADVICE'], ...rows], terminal);
}

/** Summary of all results in one line. */
export function findingsSummary(findings: readonly Finding[]): string {
  const broken = new Set(
    findings.filter(isFailing).map(({ cluster, node, collector }) => [cluster, node, collector].join('/')),
  );
  if (findings.length === 0) return 'no collectors enabled\n';
  return broken.size === 0 ? 'all enabled collectors work\n' : `${broken.size} failing: ${[...broken].join(', ')}\n`;
}

/** Whether the result means that an enabled collector does not work. */
export function isFailing({ reason, tolerated }: Finding): boolean {
  return reason !== 'works' && reason !== 'series_dropped' && !tolerated;
}
