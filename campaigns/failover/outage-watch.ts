import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../../test/support/http.ts';
import type { OutageAnswer } from './evidence.ts';
import type { Replica } from './replica.ts';

const interval = 5000;
/** Time after the begin of an outage in which a replica need not know of it. */
const noticeTime = 15_000;

/** Requests the metrics of all replicas until `signal` aborts, while the database is unavailable. */
export async function watchOutage(replicas: readonly Replica[], signal: AbortSignal): Promise<readonly OutageAnswer[]> {
  const answers: OutageAnswer[] = [];
  const since = Date.now();
  while (!signal.aborted) {
    await pause(interval);
    if (signal.aborted || Date.now() < since + noticeTime) continue;
    const requested = await Promise.all(replicas.map(scrape));
    // Answers from after the end of the outage are dropped.
    if (!signal.aborted) answers.push(...requested);
  }
  return answers;
}

async function scrape({ index, url }: Replica): Promise<OutageAnswer> {
  const at = Date.now();
  const reply = await send(`${url}/metrics`, { signal: AbortSignal.timeout(interval) }).catch(() => undefined);
  const value = (name: string): number | undefined => {
    const found = new RegExp(`^${name} (?<value>\\S+)$`, 'm').exec(reply?.text ?? '')?.groups;
    return found?.value === undefined ? undefined : Number(found.value);
  };
  const readAt = value('graphwarden_leases_read_timestamp_seconds');
  return {
    replica: index,
    at,
    after: reply?.status === 200 ? Date.now() - at : undefined,
    durable: value('graphwarden_state_durable'),
    leaseAge: readAt === undefined ? undefined : at / 1000 - readAt,
  };
}
