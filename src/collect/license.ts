import type { GraphDb } from '../graphdb/graph-db.ts';
import { failure } from '../kernel/failure.ts';
import { err } from '../kernel/result.ts';
import { gauge, sample } from '../metric/metric.ts';
import type { License } from '../model/node.ts';
import { collector, type ReadResult } from './collector.ts';

const expiration = gauge({
  name: 'graphdb_license_expiration_timestamp_seconds',
  help: 'When the licence of the server ends: Expiration date, or Days remaining from now, as seconds since the epoch.',
  source: 'GET /restpp/showlicenseinfo: Expiration date, Days remaining',
});

/** The day after which queries fail and services refuse to start. */
export const license = collector<License>({
  name: 'license',
  about: 'When the licence of the server expires.',
  scope: 'cluster',
  metrics: [expiration],
  defaults: { enabled: true, every: 3_600_000, timeout: 5000 },
  calls: ['license'],
  privilege: '',
  read,
  samples: ({ expiresAtSeconds }) => (expiresAtSeconds === undefined ? [] : [sample(expiration, {}, expiresAtSeconds)]),
});

async function read(db: GraphDb, signal: AbortSignal): Promise<ReadResult<License>> {
  const answer = await db.license(signal);
  if (!answer.ok || answer.value.expiresAtSeconds !== undefined) return answer;
  // A success without a date would be silence about the one thing that was asked.
  return err(failure('body', `GET /restpp/showlicenseinfo on ${db.node}: the answer has no date that can be read`));
}
