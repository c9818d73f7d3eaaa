import { expect, it } from 'vitest';
import {
  fenceStatement,
  leaseTables,
  leaveStatement,
  readLeasesStatement,
  readReplicasStatement,
  releaseStatement,
  renewStatement,
  takeStatement,
} from '../../../src/runtime/postgres/lease-statements.ts';

const statements = [
  renewStatement,
  takeStatement,
  releaseStatement,
  leaveStatement,
  readLeasesStatement,
  readReplicasStatement,
  fenceStatement,
];

it('statements about leases use the clock of the database only, as of the moment and not of the transaction', () => {
  for (const statement of statements) expect(statement).not.toMatch(/\bnow\(\)|current_timestamp/i);
  expect(leaseTables).toHaveLength(2);
});

it('statements that lock leases take them in one order, so that none waits for another one that waits for it', () => {
  for (const statement of [renewStatement, takeStatement, fenceStatement]) {
    expect(statement).toMatch(/ORDER BY lease\.cluster FOR (?:UPDATE|SHARE)/);
  }
});
