import type { Entry } from '../../collect/board.ts';
import { type Slices, startSlices } from '../../kernel/slices.ts';
import { inSeconds } from '../../kernel/time.ts';
import type { Sample } from '../../metric/metric.ts';
import { reportChecks, reportClusters, reportCollectors } from '../report.ts';
import type { Site } from '../site.ts';
import type { Watch } from '../watch.ts';
import { guardFactsOf } from './guard.ts';
import type { Latest, Told } from './latest.ts';
import type { Doing } from './reading.ts';
import { type ClusterFacts, spokenOf } from './story.ts';

/** What is known of each cluster, in the order of the configuration. It asks no node, and rests between slices. */
export async function gather(site: Site): Promise<readonly ClusterFacts[]> {
  const slices = startSlices(site.ports.clock);
  const checks = reportChecks(site);
  const alerts = site.alerts.alerts();
  const facts: ClusterFacts[] = [];
  for (const cluster of reportClusters(site)) {
    const watch = site.watches().find(({ settings }) => settings.name === cluster.name);
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

function doingsOf({ settings: { name }, planned }: Watch, site: Site): readonly Doing[] {
  const own = reportCollectors(site).filter(({ cluster }) => cluster === name);
  return own.flatMap((report) => {
    const found = planned.find(({ collector }) => collector.name === report.collector);
    if (found === undefined) return [];
    const { collector, settings } = found;
    const everySeconds = settings.cron === undefined ? inSeconds(settings.every) : 0;
    return [{ ...report, everySeconds, privilege: collector.privilege }];
  });
}

/** Of the collectors that are spoken of alone: the others' samples may be a hundred thousand. */
async function latestOf(watch: Watch, site: Site, slices: Slices): Promise<ReadonlyMap<string, Latest>> {
  const latest = new Map<string, Latest>();
  for (const { collector } of watch.planned) {
    if (spokenOf.includes(collector.name))
      latest.set(collector.name, await lookUp(collector.name, watch, site, slices));
  }
  return latest;
}

async function lookUp(
  collector: string,
  { settings }: Watch,
  { board, pipeline }: Site,
  slices: Slices,
): Promise<Latest> {
  const told: Told[] = [];
  const silent: string[] = [];
  let waiting = false;
  for (const { feed } of pipeline.feeds()) {
    if (feed.cluster !== settings.name || feed.collector !== collector) continue;
    const entry = board.latest(feed);
    const facts = entry === undefined ? undefined : factsOf(entry);
    if (entry === undefined) waiting = true;
    else if (facts === undefined) silent.push(feed.node);
    else {
      const { ended } = entry.reading;
      const samples = await collected(feed.of.samples(facts.value, ended), slices);
      told.push({ node: feed.node, at: ended.wall, samples });
    }
  }
  return { collector, told, silent, waiting };
}

/** What may still be shown of a reading: all of a good one that is not overdue, and the part that did arrive. */
function factsOf({ reading: { result }, fresh }: Entry): { readonly value: unknown } | undefined {
  if (!result.ok) return result.partial === undefined ? undefined : { value: result.partial };
  return fresh ? { value: result.value } : undefined;
}

async function collected(samples: Iterable<Sample>, slices: Slices): Promise<readonly Sample[]> {
  const all: Sample[] = [];
  for (const sample of samples) {
    all.push(sample);
    if (slices.due()) await slices.rest();
  }
  return all;
}
