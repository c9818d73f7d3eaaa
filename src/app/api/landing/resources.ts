import type { CheckReport } from '../../../api/clusters.ts';
import { formatElapsed } from '../../../kernel/duration.ts';
import type { Sample } from '../../../metric/metric.ts';
import { gaps, type Latest, type Reported, type Statement, samplesOf, say, type Tone } from './statement.ts';
import { count, day, gibibytes, list, short } from './words.ts';

const dayMillis = 86_400_000;

/** Returns statements such as «Ends on 2027-09-17, in 299 days». */
export function licenseInWords(latest: Latest, wall: number): readonly Statement[] {
  const ends = latest.reported.flatMap((reported) =>
    Array.from(samplesOf(reported, 'graphdb_license_expiration_timestamp_seconds'), ({ value }) => value * 1000),
  );
  return [...ends.map((end) => ofEnd(end, wall)), ...gaps(latest)];
}

function ofEnd(end: number, wall: number): Statement {
  const days = Math.floor((end - wall) / dayMillis);
  if (end <= wall)
    return say('bad', `Expired on ${day(end)}`, 'Queries fail and services refuse to start without one.');
  return say(licenseTone(days), `Ends on ${day(end)}, ${days === 0 ? 'within a day' : `in ${count(days, 'day')}`}`);
}

function licenseTone(days: number): Tone {
  if (days < 7) return 'bad';
  return days < 30 ? 'warning' : 'good';
}

/** Free bytes below which the page shows a warning. An engine on a full disk becomes read-only. */
const little = 10 * 2 ** 30;
/** Free bytes below which the page shows an error. */
const tooLittle = 2 * 2 ** 30;

/** Returns «Least free on disk: 53.6 GiB, m3 (/data)». The server reports usage by directory, so no percentage is known. */
export function disksInWords(latest: Latest): readonly Statement[] {
  return [...latest.reported.flatMap(diskStatements), ...gaps(latest)];
}

function diskStatements(reported: Reported): readonly Statement[] {
  let least: Sample | undefined;
  for (const one of samplesOf(reported, 'graphdb_disk_free_bytes'))
    if (one.value < (least?.value ?? Infinity)) least = one;
  if (least === undefined) return [];
  const { host_id = '', mount_point = '' } = least.labels;
  const where = mount_point === '' ? short(host_id, 100) : `${short(host_id, 100)} (${short(mount_point, 100)})`;
  return [say(diskTone(least.value), `Least free on disk: ${gibibytes(least.value)}, ${where}`)];
}

function diskTone(free: number): Tone {
  if (free < tooLittle) return 'bad';
  return free < little ? 'warning' : 'plain';
}

/** Returns the full queues, as in «Full: OLTP on GPE_1_1 (10 of 10 run, 4 wait)». */
export function queuesInWords(latest: Latest): readonly Statement[] {
  return [...latest.reported.flatMap(queueStatements), ...gaps(latest)];
}

function queueStatements(reported: Reported): readonly Statement[] {
  const limits = valuesOf(reported, 'running_limit');
  const delayed = valuesOf(reported, 'delayed_queries');
  const queues = [...samplesOf(reported, 'graphdb_workload_queue_running_queries')];
  const busy = queues.filter((queue) => {
    const limit = limits.get(keyOf(queue)) ?? 0;
    return (delayed.get(keyOf(queue)) ?? 0) > 0 || (limit > 0 && queue.value >= limit);
  });
  if (queues.length === 0) return [say('plain', 'The server names no workload queue')];
  if (busy.length === 0) return [say('good', `${count(queues.length, 'queue')} with room`)];
  const texts = busy.map((queue) => {
    const limit = limits.get(keyOf(queue)) ?? 0;
    const running = limit > 0 ? `${queue.value} of ${limit}` : `${queue.value}`;
    const { queue: name = '', engine = '' } = queue.labels;
    return `${name} on ${engine} (${running} run, ${delayed.get(keyOf(queue)) ?? 0} wait)`;
  });
  return [say('warning', `Full: ${list(texts)}`)];
}

function valuesOf(reported: Reported, what: string): ReadonlyMap<string, number> {
  return new Map(Array.from(samplesOf(reported, `graphdb_workload_queue_${what}`), (one) => [keyOf(one), one.value]));
}

function keyOf({ labels: { engine = '', queue = '' } }: Sample): string {
  return JSON.stringify([engine, queue]);
}

/** «data_consistency passed 3 h ago», or what is out of step. */
export function checksInWords(checks: readonly CheckReport[], wall: number): readonly Statement[] {
  if (checks.length === 0) return [say('plain', 'None has run yet')];
  return [...Map.groupBy(checks, ({ check }) => check)].map(([check, verdicts]) => ofCheck(check, verdicts, wall));
}

function ofCheck(check: string, verdicts: readonly CheckReport[], wall: number): Statement {
  const ran = verdicts.find(({ lastRun }) => lastRun !== null)?.lastRun;
  const ago = typeof ran === 'string' ? ` ${formatElapsed(wall - Date.parse(ran))} ago` : '';
  const failed = verdicts.filter(({ passed }) => !passed);
  if (failed.length === 0) return say('good', `${check} passed${ago}`);
  return say('bad', `${check} failed${ago}: ${list(failed.map(whatDiffers))}`);
}

function whatDiffers({ graph, partition, engine, unsyncedEntries }: CheckReport): string {
  const place = [graph === '' ? '' : `graph ${graph}`, partition === '' ? '' : `partition ${partition}`, engine].filter(
    (part) => part !== '',
  );
  const entries = unsyncedEntries === null ? '' : `${count(unsyncedEntries, 'unsynced entry')} in `;
  return `${entries}${place.length === 0 ? 'the cluster' : place.join(', ')}`;
}
