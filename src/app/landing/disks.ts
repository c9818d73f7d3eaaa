import type { Sample } from '../../metric/metric.ts';
import { gaps, type Latest, samplesOf, type Told } from './latest.ts';
import { type Statement, say, type Tone } from './statement.ts';
import { gibibytes, short } from './words.ts';

/** So little is worth a look, in bytes: an engine that finds no room turns read-only. */
const little = 10 * 2 ** 30;
/** And so little is soon gone. */
const tooLittle = 2 * 2 ** 30;

/** «least free on disk: 53.6 GiB, m3 (/data)». What is used is told by directory, so there is no share to tell. */
export function disksInWords(latest: Latest): readonly Statement[] {
  return [...latest.told.flatMap(ofReading), ...gaps(latest)];
}

function ofReading(told: Told): readonly Statement[] {
  let least: Sample | undefined;
  for (const one of samplesOf(told, 'graphdb_disk_free_bytes')) if (one.value < (least?.value ?? Infinity)) least = one;
  if (least === undefined) return [];
  const { host_id = '', mount_point = '' } = least.labels;
  const where = mount_point === '' ? short(host_id, 100) : `${short(host_id, 100)} (${short(mount_point, 100)})`;
  return [say(toneOf(least.value), `Least free on disk: ${gibibytes(least.value)}, ${where}`)];
}

function toneOf(free: number): Tone {
  if (free < tooLittle) return 'bad';
  return free < little ? 'warning' : 'plain';
}
