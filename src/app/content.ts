import type { Board, Place } from '../collect/board.ts';
import type { Collector, ReadResult } from '../collect/collector.ts';
import type { ShownMemory } from '../collect/withheld.ts';
import type { Content } from '../expose/page.ts';
import { failure } from '../kernel/failure.ts';
import type { Millis } from '../kernel/time.ts';
import type { Sample } from '../metric/metric.ts';
import type { ClusterSettings } from '../model/settings.ts';
import type { Planned } from './plan.ts';

/** A place whose readings go on the page. */
export interface Feed extends Place {
  readonly of: Collector;
  /** The cluster's own labels. */
  readonly labels: Readonly<Record<string, string>>;
  readonly passthrough: boolean;
  /** The configured time between two readings; absent for what runs by calendar. */
  readonly every?: Millis;
  /** Who shows the same families better, while it has a good reading. */
  readonly better?: Collector;
}

/** The feed of one collector on one node, or of the whole cluster where `node` is `''`. */
export function feedOf(
  { name: cluster, labels }: ClusterSettings,
  { collector: of, settings }: Planned,
  node: string,
  beside: readonly Planned[],
): Feed {
  const better = beside.find(({ collector }) => collector.name === of.yieldsTo)?.collector;
  const { passthrough, every, cron } = settings;
  return {
    cluster,
    collector: of.name,
    node,
    of,
    labels,
    passthrough,
    ...(cron === undefined ? { every } : {}),
    ...(better === undefined ? {} : { better }),
  };
}

/** The labels that every series of a feed carries. */
export function labelsOf({ cluster, labels, of, node }: Feed): Readonly<Record<string, string>> {
  return { cluster_name: cluster, ...labels, ...(of.scope === 'node' ? { node } : {}) };
}

/**
 * What a feed shows in the light of its latest reading; undefined where gauges go and nothing comes in their
 * place. Consuming the samples is what `memory` learns from.
 */
export function contentOf(feed: Feed, memory: ShownMemory, board: Board): Content | undefined {
  const entry = board.latest(feed);
  const hidden = hiddenFrom(feed, board);
  const labels = labelsOf(feed);
  if (entry === undefined) return { labels, samples: [] };
  const { result, ended } = entry.reading;
  if (!result.ok && result.partial !== undefined) {
    const samples = without(hidden, feed.of.samples(result.partial, ended));
    return { labels, samples: memory.passPartial(samples), gone: hidden };
  }
  if (!result.ok || !entry.fresh) {
    const trouble = result.ok ? failure('timeout', 'the last reading is overdue') : result.error;
    const samples = feed.of.failed?.(trouble);
    return samples === undefined ? undefined : { labels, samples: memory.passPartial(samples) };
  }
  const passthrough = feed.passthrough ? feed.of.passthrough?.(result.value) : undefined;
  return {
    labels,
    samples: memory.pass(without(hidden, feed.of.samples(result.value, ended))),
    gone: hidden,
    ...(passthrough === undefined ? {} : { passthrough: memory.passFamilies(passthrough) }),
  };
}

/** How many series of a good answer never reached the page. */
export function rejectedOf({ of }: Feed, result: ReadResult<unknown>): number {
  return result.ok ? (of.rejected?.(result.value) ?? 0) : 0;
}

/** The families that a better collector shows at present. */
export function hiddenFrom({ better, cluster, node }: Feed, board: Board): ReadonlySet<string> {
  const shows = better !== undefined && board.isFresh({ cluster, collector: better.name, node });
  return new Set(shows ? better.metrics.map((metric) => metric.name) : []);
}

function without(hidden: ReadonlySet<string>, samples: Iterable<Sample>): Iterable<Sample> {
  return hidden.size === 0 ? samples : filtered(samples, ({ metric }) => !hidden.has(metric.name));
}

function* filtered(samples: Iterable<Sample>, isShown: (sample: Sample) => boolean): Generator<Sample> {
  for (const sample of samples) if (isShown(sample)) yield sample;
}
