import type { GraphDb, InformantPage } from '../graphdb/graph-db.ts';
import { failure } from '../kernel/failure.ts';
import { err } from '../kernel/result.ts';
import type { ParsedFamily } from '../model/exposition.ts';
import { collector, type ReadResult } from './collector.ts';
import { pageHostMetrics, sharedHostMetrics } from './host-metrics.ts';
import { informantSamples } from './informant-samples.ts';

/** Names that are ours: a server that prints them would contradict us on our own page. */
const ownPrefixes = ['graphdb_', 'graphwarden_', 'process_', 'nodejs_'];

/**
 * The informant's page: CPU, memory, disk and network of every host under our names and units, and the
 * server's own families handed on. Its service status, query, inode time and licence families are handed on
 * only: `services`, `statistics` and `license` read those facts at their source.
 */
export const metrics = collector<InformantPage>({
  name: 'metrics',
  about: "CPU, memory, disk and network of hosts and services; the server's own families are handed on.",
  scope: 'cluster',
  metrics: [...sharedHostMetrics, ...pageHostMetrics],
  defaults: { enabled: true, every: 15_000, timeout: 5000 },
  calls: ['informantMetrics'],
  privilege: '',
  read,
  samples: ({ families, prefix }) => (prefix === undefined ? [] : informantSamples(families, prefix)),
  rejected: ({ rejected }) => rejected,
  statuses: ({ families, prefix }) => (prefix === undefined ? undefined : { kind: 'page', families, prefix }),
  passthrough: ({ families, prefix }) => families.filter((family) => handsOn(family, prefix)),
});

async function read(db: GraphDb, signal: AbortSignal): Promise<ReadResult<InformantPage>> {
  const page = await db.informantMetrics(signal);
  if (!page.ok || page.value.prefix !== undefined) return page;
  // A page without it would be a success that shows nothing, and keep `categories` from stepping in.
  return err(
    failure(
      'body',
      `GET /informant/metrics on ${db.node}: no family ends in service_status, which metric_prefix is known by`,
    ),
  );
}

function handsOn(family: ParsedFamily, prefix: string | undefined): boolean {
  if (prefix === undefined || !family.name.startsWith(prefix)) return false;
  return !ownPrefixes.some((own) => family.name.startsWith(own));
}
