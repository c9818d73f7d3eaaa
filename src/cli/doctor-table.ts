import type { FailureReason } from '../kernel/failure.ts';
import type { Millis } from '../kernel/time.ts';
import { aligned, printable } from './aligned.ts';

/** What was found out about one call. */
export interface Finding {
  readonly cluster: string;
  readonly node: string;
  readonly collector: string;
  readonly call: string;
  /** `no_credential`: nothing was asked, since there was nothing to show. */
  readonly reason: 'works' | 'no_credential' | FailureReason;
  readonly latency: Millis;
  /** What was answered, and what to do about it; empty where it works. */
  readonly advice: string;
  /** The collector works although this call does not. */
  readonly tolerated: boolean;
}

/** What a person reads for a reason. */
export const verdicts: Readonly<Record<Finding['reason'], string>> = {
  works: 'works',
  no_credential: 'no credential',
  auth: 'missing privilege',
  unsupported: 'unsupported by this version',
  unreachable: 'unreachable',
  timeout: 'no answer in time',
  tls: 'certificate trouble',
  status: 'refused with an error',
  body: 'not understood',
  too_large: 'answer too large',
};

/** The findings as an aligned table with its header. */
export function table(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => [
    `${finding.cluster}/${finding.node}`,
    finding.collector,
    finding.call,
    verdicts[finding.reason] + (finding.tolerated ? ', not needed' : ''),
    `${Math.round(finding.latency)} ms`,
    printable(finding.advice),
  ]);
  return aligned([['NODE', 'COLLECTOR', 'CALL', 'RESULT', 'LATENCY', 'ADVICE'], ...rows]);
}

/** One sentence on all of it. */
export function summary(findings: readonly Finding[]): string {
  const broken = new Set(
    findings.filter(isBroken).map(({ cluster, node, collector }) => [cluster, node, collector].join('/')),
  );
  if (findings.length === 0) return 'no collector is enabled\n';
  return broken.size === 0
    ? 'every enabled collector works\n'
    : `${broken.size} do not work: ${[...broken].join(', ')}\n`;
}

/** Whether a finding means that an enabled collector does not work. */
export function isBroken({ reason, tolerated }: Finding): boolean {
  return reason !== 'works' && !tolerated;
}
