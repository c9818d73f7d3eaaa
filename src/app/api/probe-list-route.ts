import { livePageSchema } from '../../api/fields.ts';
import { type ProbeReport, probeSchema } from '../../api/probes.ts';
import type { ProbeTraits } from '../../collect/collector.ts';
import type { LatestResult } from '../../collect/latest-results.ts';
import { type Instant, toSeconds } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { collectorKey } from '../../model/collector-key.ts';
import type { CollectorFeed } from '../poll/collector-feed.ts';
import { runOf } from '../poll/probe-history.ts';
import type { KnownValues } from './known-values.ts';
import { liveReply } from './live-list.ts';
import { listErrors, pagingParameters } from './paging.ts';
import { filterParameters } from './query-parameters.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import type { Route } from './routes.ts';

const filters: Readonly<Record<string, (item: ProbeReport) => string>> = {
  cluster: (item) => item.cluster,
  probe: (item) => item.probe,
  kind: (item) => item.kind,
  graph: (item) => item.graph,
  node: (item) => item.node,
  state: (item) => item.state,
};

/** Parts of the application that know the probes. */
type ProbeListDependencies = Pick<RouteDependencies, 'pipeline' | 'board' | 'probes' | 'scheduler' | 'replicas'> & {
  readonly ports: Pick<RouteDependencies['ports'], 'clock'>;
};

/** Returns the list of probes with their last runs. Sends no request upstream. */
export function probeListRoute(dependencies: ProbeListDependencies, { cluster, node }: KnownValues): Route {
  return {
    method: 'GET',
    path: '/api/v1/probes',
    about: 'Lists the probes with their last runs, once for each cluster or node on which they run.',
    parameters: [...filterParameters(Object.keys(filters), probeSchema), ...pagingParameters],
    response: { type: 'application/json', schema: livePageSchema(probeSchema) },
    errorResponses: listErrors,
    handle: (request) => {
      const found = reportProbes(dependencies);
      const own = (['probe', 'graph'] as const).map((name) => [name, { values: () => found.map((one) => one[name]) }]);
      return liveReply(dependencies.replicas, request, {
        path: '/api/v1/probes',
        item: probeSchema,
        items: found,
        filters,
        known: { ...Object.fromEntries(own), cluster, node },
      });
    },
  };
}

/** Returns the probes of all clusters, in the order of the configuration. */
function reportProbes({ pipeline, board, probes, scheduler, ports }: ProbeListDependencies): readonly ProbeReport[] {
  const now = ports.clock.now();
  return pipeline.feeds().flatMap(({ feed }) => {
    const traits = feed.definition.probe;
    if (traits === undefined) return [];
    const { succeeded = 0, failed = 0, ratio } = probes.counts(feed, now) ?? {};
    return [
      {
        ...definitionOf(feed, traits),
        ...lastRunOf(feed, board.latest(feed), now),
        successRatio: ratio ?? null,
        runs: succeeded + failed,
        failures: failed,
        nextRun: timestampOf(scheduler.nextRun(collectorKey(feed))),
      },
    ];
  });
}

function definitionOf({ cluster, node }: CollectorFeed, { name, kind, graph, slo, limit }: ProbeTraits) {
  const { objective, window } = slo;
  const labels = { cluster, probe: name, kind, graph, node };
  return { ...labels, limitSeconds: toSeconds(limit), objective, windowSeconds: toSeconds(window) };
}

type LastRun = Pick<
  ProbeReport,
  'source' | 'reason' | 'message' | 'advice' | 'durationSeconds' | 'phases' | 'resultAgeSeconds'
> &
  Pick<ProbeReport, 'state' | 'lastRun' | 'validUntil'>;

/** A result that is old keeps its facts, but says nothing about the present. */
function lastRunOf(feed: CollectorFeed, latest: LatestResult | undefined, now: Instant): LastRun {
  if (latest === undefined) return noRun;
  const { pollResult, freshUntil } = latest;
  const { failure, duration, phases, resultAge } = runOf(feed, pollResult);
  const isOld = now.mono >= freshUntil;
  const seconds = Object.entries(phases).map(([phase, length]) => [phase, toSeconds(length)]);
  return {
    source: pollResult.source,
    state: isOld ? 'unknown' : failure === undefined ? 'healthy' : 'failing',
    reason: failure?.reason ?? '',
    message: failure?.message ?? '',
    advice: failure === undefined ? '' : (feed.definition.probe?.adviceOn(failure.reason) ?? ''),
    lastRun: timestampOf(pollResult.ended.wall),
    // The wall clock may have stepped since the run.
    validUntil: timestampOf(now.wall + freshUntil - now.mono),
    durationSeconds: toSeconds(duration),
    phases: Object.fromEntries(seconds),
    resultAgeSeconds: resultAge === undefined ? null : toSeconds(resultAge),
  };
}

const noRun: LastRun = {
  source: '',
  state: 'unknown',
  reason: '',
  message: '',
  advice: '',
  lastRun: null,
  validUntil: null,
  durationSeconds: null,
  phases: {},
  resultAgeSeconds: null,
};

function timestampOf(millis: number | undefined): string | null {
  return millis === undefined ? null : formatTimestamp(millis);
}
