import type { LatestResult } from '../../../collect/latest-results.ts';
import { toSeconds } from '../../../kernel/time.ts';
import { startTimeSlices, type TimeSlices } from '../../../kernel/time-slices.ts';
import type { Sample } from '../../../metric/metric.ts';
import type { ClusterPoller } from '../../poll/cluster-poller.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { reportChecks, reportClusters, reportCollectors } from '../status-report.ts';
import { guardFactsOf } from './guard.ts';
import type { Doing } from './reading.ts';
import type { Latest, Reported } from './statement.ts';
import { type ClusterFacts, spokenOf } from './story.ts';

/** What is known of each cluster, in the order of the configuration. It asks no node, and rests between slices. */
export async function gather(site: RouteDependencies): Promise<readonly ClusterFacts[]> {
  const slices = startTimeSlices(site.ports.clock);
  const checks = reportChecks(site);
  const alerts = site.alerts.alerts();
  const facts: ClusterFacts[] = [];
  for (const cluster of reportClusters(site)) {
    const watch = site.pollers().find(({ settings }) => settings.name === cluster.name);
    if (watch === undefined) continue;
    facts.push({
      cluster,
      doings: doingsOf(watch, site),
      checks: checks.filter((check) => check.cluster === cluster.name),
      alerts: alerts.filter(({ labels }) => labels.cluster_name === cluster.name),
      tracked: site.incidents.tracked(cluster.name).replicas,
      latest: await latestOf(watch, site, slices),
      guard: guardFactsOf(site.guard, cluster.name, site.ports.clock.now()),
    });
  }
  return facts;
}

function doingsOf({ settings: { name }, planned }: ClusterPoller, site: RouteDependencies): readonly Doing[] {
  const own = reportCollectors(site).filter(({ cluster }) => cluster === name);
  return own.flatMap((report) => {
    const found = planned.find(({ collector }) => collector.name === report.collector);
    if (found === undefined) return [];
    const { collector, settings } = found;
    const everySeconds = settings.schedule === undefined ? toSeconds(settings.interval) : 0;
    return [{ ...report, everySeconds, privilege: collector.privilege }];
  });
}

/** Of the collectors that are spoken of alone: the others' samples may be a hundred thousand. */
async function latestOf(
  watch: ClusterPoller,
  site: RouteDependencies,
  slices: TimeSlices,
): Promise<ReadonlyMap<string, Latest>> {
  const latest = new Map<string, Latest>();
  for (const { collector } of watch.planned) {
    if (spokenOf.includes(collector.name))
      latest.set(collector.name, await lookUp(collector.name, watch, site, slices));
  }
  return latest;
}

async function lookUp(
  collector: string,
  { settings }: ClusterPoller,
  { board, pipeline }: RouteDependencies,
  slices: TimeSlices,
): Promise<Latest> {
  const reported: Reported[] = [];
  const silent: string[] = [];
  let waiting = false;
  for (const { feed } of pipeline.feeds()) {
    if (feed.cluster !== settings.name || feed.collector !== collector) continue;
    const entry = board.latest(feed);
    const facts = entry === undefined ? undefined : factsOf(entry);
    if (entry === undefined) waiting = true;
    else if (facts === undefined) silent.push(feed.node);
    else {
      const { ended } = entry.pollResult;
      const samples = await collected(feed.definition.samples(facts.value, ended), slices);
      reported.push({ node: feed.node, at: ended.wall, samples });
    }
  }
  return { collector, reported, silent, waiting };
}

/** Returns the value of a successful poll that is not overdue, or the part that arrived before a poll failed. */
function factsOf({ pollResult: { result }, fresh }: LatestResult): { readonly value: unknown } | undefined {
  if (!result.ok) return result.partial === undefined ? undefined : { value: result.partial };
  return fresh ? { value: result.value } : undefined;
}

async function collected(samples: Iterable<Sample>, slices: TimeSlices): Promise<readonly Sample[]> {
  const all: Sample[] = [];
  for (const sample of samples) {
    all.push(sample);
    if (slices.shouldYield()) await slices.nextSlice();
  }
  return all;
}
