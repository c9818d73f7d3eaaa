import type { FailureReason } from '../../src/kernel/failure.ts';
import type { FaultName } from '../../src/simulator/faults/fault.ts';

/** Faults that fail a poll, with the reason of the table in the contract. Of each reason, those that differ most come first. */
export const expectedReasons: readonly (readonly [FaultName, FailureReason])[] = [
  ['connection_refused', 'unreachable'],
  ['redirect_loop', 'unreachable'],
  ['reset_mid_body', 'unreachable'],
  ['hang_within_body', 'timeout'],
  ['slow_drip', 'timeout'],
  ['hang_before_headers', 'timeout'],
  ['hang_before_body', 'timeout'],
  ['truncated_json', 'body'],
  ['error_true_200', 'body'],
  ['invalid_json', 'body'],
  ['html_200', 'body'],
  ['html_502', 'status'],
  ['status_429', 'status'],
  ['status_401', 'auth'],
  ['status_403', 'auth'],
  ['status_404', 'unsupported'],
  ['status_408', 'status'],
  ['status_422', 'status'],
  ['status_500', 'status'],
  ['status_503', 'status'],
  ['status_504', 'status'],
  ['empty_body', 'body'],
  ['wrong_content_type', 'body'],
  ['invalid_utf8', 'body'],
  ['body_100mb', 'too_large'],
  ['gzip_bomb', 'too_large'],
  ['redirect_elsewhere', 'unreachable'],
];

/** Faults that leave a reply readable. */
export const toleratedFaults: readonly FaultName[] = [
  'duplicate_families',
  'conflicting_families',
  'nan_values',
  'memory_unlimited',
  'cpu_over_100',
  'hostile_labels',
  'clock_skew',
  'entries_100k',
];
