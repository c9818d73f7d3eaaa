import { formatDuration } from '../../kernel/duration.ts';
import type { Millis } from '../../kernel/time.ts';
import type { ReplicaId } from '../../model/transition.ts';

/** `7 %`. */
export function percent(ratio: number): string {
  const share = ratio * 100;
  return `${share >= 10 || share === 0 ? Math.round(share) : share.toFixed(1)} %`;
}

/** `3.4 GiB`. */
export function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/** `2h5m`, in the two largest units: nobody who was woken up reads seconds behind days. */
export function lengthOf(length: Millis): string {
  const text = formatDuration(Math.max(0, Math.round(length / 1000)) * 1000);
  return /^(?:\d+[a-z]+){1,2}/.exec(text)?.[0] ?? text;
}

/** `GPE_1#2`, as the server's own tools have it. */
export function instanceName({ service, partition, replica }: Omit<ReplicaId, 'cluster'>): string {
  return `${service}${partition === '' ? '' : `_${partition}`}${replica === '' ? '' : `#${replica}`}`;
}

/** A moment as people compare it with a clock on the wall. */
export function moment(wall: number): string {
  return `${new Date(wall).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * The labels by which PromQL tells one process from another, whatever a scrape attaches: installations of the same name
 * run in several namespaces, and some have their pod's name for an instance.
 */
export const scrapedProcess = 'job, namespace, pod, instance';
