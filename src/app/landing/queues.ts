import type { Sample } from '../../metric/metric.ts';
import { gaps, type Latest, samplesOf, type Told } from './latest.ts';
import { type Statement, say } from './statement.ts';
import { count, list } from './words.ts';

/** «queue OLTP on GPE_1_1: 10 of 10 run, 4 wait». */
export function queuesInWords(latest: Latest): readonly Statement[] {
  return [...latest.told.flatMap(ofReading), ...gaps(latest)];
}

function ofReading(told: Told): readonly Statement[] {
  const limits = valuesOf(told, 'running_limit');
  const delayed = valuesOf(told, 'delayed');
  const queues = [...samplesOf(told, 'graphdb_workload_queue_running')];
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

function valuesOf(told: Told, what: string): ReadonlyMap<string, number> {
  return new Map(Array.from(samplesOf(told, `graphdb_workload_queue_${what}`), (one) => [keyOf(one), one.value]));
}

function keyOf({ labels: { engine = '', queue = '' } }: Sample): string {
  return JSON.stringify([engine, queue]);
}
