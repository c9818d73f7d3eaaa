import type { Instant } from '../kernel/time.ts';
import type { CallDurations } from './call-metrics.ts';
import { guardSamples, pauseSamples } from './guard-metrics.ts';
import type { GuardWatch } from './guard-watch.ts';
import type { QueryAges } from './query-ages.ts';
import type { Showing } from './shown-sources.ts';
import type { Tracing } from './tracing.ts';
import type { Watch } from './watch.ts';

/** Who knows what calls, and lists of queries above all, tell over time. */
export interface QuerySources {
  readonly guard: GuardWatch;
  readonly ages: QueryAges;
  readonly calls: CallDurations;
  readonly tracing?: Pick<Tracing, 'samples'>;
}

/** What calls, and lists of queries above all, tell over time, by the source under which the page knows it. */
export function* queryShowings(
  { guard, ages, calls, tracing }: QuerySources,
  watches: readonly Pick<Watch, 'settings' | 'nodes'>[],
  now: Instant,
): Generator<readonly [source: string, showing: Showing]> {
  yield ['guard', { labels: {}, samples: pauseSamples(guard.paused()) }];
  if (tracing !== undefined) yield ['tracing', { labels: {}, samples: tracing.samples() }];
  for (const watch of watches) {
    const { name, labels: own } = watch.settings;
    const labels = { cluster_name: name, ...own };
    const nodes = watch.nodes().map(({ settings }) => settings.name);
    for (const [node, samples] of ages.samples(name, nodes, now)) {
      yield [JSON.stringify([name, 'query ages', node]), { labels, samples }];
    }
    for (const [node, samples] of calls.samples(name, nodes)) {
      yield [JSON.stringify([name, 'calls', node]), { labels, samples }];
    }
    const sight = guard.sight(name);
    if (sight === undefined) continue;
    yield [JSON.stringify([name, 'guard']), { labels, samples: [...guardSamples(sight, nodes, now)] }];
  }
}
