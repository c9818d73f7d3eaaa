import type { GraphDb } from '../graphdb/graph-db.ts';
import { failure } from '../kernel/failure.ts';
import { err } from '../kernel/result.ts';
import { gauge, sample } from '../metric/metric.ts';
import type { License } from '../model/node.ts';
import { collector, type PollOutcome } from './collector.ts';

const expiration = gauge({
  name: 'graphdb_license_expiration_timestamp_seconds',
  help: 'Unix timestamp of the expiration of the server license.',
  source: 'GET /restpp/showlicenseinfo: Expiration date, Days remaining; GET /informant/metrics: license_days_left',
});

/** Expiration of the license; afterwards queries fail and services do not start. */
export const license = collector<License>({
  name: 'license',
  about: 'Expiration time of the server license.',
  scope: 'cluster',
  metrics: [expiration],
  defaults: { enabled: true, interval: 3_600_000, timeout: 5000 },
  calls: ['license'],
  privilege: '',
  poll,
  samples: ({ expiresAtSeconds }) => (expiresAtSeconds === undefined ? [] : [sample(expiration, {}, expiresAtSeconds)]),
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<License>> {
  const answer = await db.license(signal);
  if (!answer.ok || answer.value.expiresAtSeconds !== undefined) return answer;
  // A success without a date would hide that the expiration is unknown.
  return err(failure('body', `GET /restpp/showlicenseinfo on ${db.node}: the reply has no valid date`));
}
