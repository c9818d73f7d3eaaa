import { adviceOn } from '../app/api/advice.ts';
import type { Collector, PollOutcome } from '../collect/collector.ts';
import type { GraphDb } from '../graphdb/graph-db.ts';
import type { Failure, FailureReason } from '../kernel/failure.ts';
import type { Result } from '../kernel/result.ts';
import type { Clock } from '../kernel/time.ts';
import type { AuthSettings } from '../model/settings.ts';
import type { DoctorFinding } from './doctor-table.ts';

/** What is known about the credentials of a node. */
export interface NodeAccess {
  readonly kind: AuthSettings['kind'];
  /** Whether the data plane denies a request that needs no privilege, so that its other denials are about the credentials too. */
  readonly isRejected: boolean;
}

/** Request that was sent, or a custom query or probe that was run. */
export interface CheckedCall {
  readonly db: Pick<GraphDb, 'cluster' | 'node'>;
  readonly collector: Collector;
  readonly call: string;
  /** Monotonic time. */
  readonly begun: number;
  readonly access: NodeAccess;
}

/** Result of a request. */
export type CallResult = Result<unknown, Failure>;

/** Result of a request, a custom query or a probe. */
export type CallOutcome = CallResult | PollOutcome<unknown>;

/** Returns the row for the outcome of a request. */
export function findingOf(checked: CheckedCall, outcome: CallOutcome, clock: Clock): DoctorFinding {
  const { db, collector, call, begun } = checked;
  return {
    cluster: db.cluster,
    node: db.node,
    collector: collector.name,
    call,
    reason: outcome.ok ? 'works' : findingReason(outcome.error),
    latency: clock.now().mono - begun,
    advice: outcome.ok ? '' : findingAdvice(outcome.error, checked),
    fix: outcome.ok ? '' : findingFix(outcome.error, checked),
    tolerated: false,
    ...(!outcome.ok && lacksPrivilege(outcome.error, checked) && { missingPrivilege: collector.privilege }),
  };
}

function findingAdvice(failure: Failure, checked: CheckedCall): string {
  const { message } = failure;
  return lacksPrivilege(failure, checked) ? `grant ${checked.collector.privilege}: ${message}` : message;
}

function findingFix(failure: Failure, checked: CheckedCall): string {
  const { collector, access } = checked;
  const reason = findingReason(failure);
  if (reason === 'no_credential') {
    return 'Set read_auth of the cluster, or correct the file of its token, password or secret: it must be readable for this user and contain nothing else.';
  }
  if (reason !== 'auth') return adviceOn(reason, collector);
  if (access.kind === 'basic' && failure.code?.startsWith('REST-') === true)
    return 'The data plane accepts no user name and password: set secret_file or bearer_token_file in read_auth of the cluster.';
  if (!lacksPrivilege(failure, checked)) return adviceOn(reason, { ...collector, privilege: '' });
  const names = collector.privilege.match(/[A-Z]+_[A-Z]+/g) ?? [];
  return `In GSQL: GRANT PRIVILEGE ${names.join(', ')} ON GLOBAL TO a role of the user of read_auth.`;
}

/** Whether the server knows the user of the request, and denies it because of a privilege. */
function lacksPrivilege(failure: Failure, { collector, access }: CheckedCall): boolean {
  if (findingReason(failure) !== 'auth' || collector.privilege === '') return false;
  return failure.status !== 401 && !access.isRejected && access.kind !== 'none';
}

type CallReason = 'no_credential' | FailureReason;

/** Result for a failure. An `auth` failure without a response means that no credentials are configured. */
function findingReason({ reason, status, code }: Failure): CallReason {
  return reason === 'auth' && status === undefined && code === undefined ? 'no_credential' : reason;
}
