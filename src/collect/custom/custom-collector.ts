import type { GraphDb } from '../../graphdb/graph-db.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { Sample } from '../../metric/metric.ts';
import type { ComponentVersion } from '../../model/node.ts';
import { type Collector, collector, type PollOutcome } from '../collector.ts';
import type { CustomQuery } from './custom-query.ts';
import { mapRows } from './map-rows.ts';
import { compareVersions } from './settings.ts';

/** Privilege that the server requires to run queries that read. */
const privilege = 'EXECUTE_QUERY, READ_DATA';

/** Returns the name of the collector of a custom query, in labels and in the log. */
export function customCollectorName({ name }: Pick<CustomQuery, 'name'>): string {
  return `custom_${name}`;
}

/**
 * Returns the collector that runs a custom query. A definition that does not match what the query prints is a failure of
 * this collector alone. @param names whether failures list names of members, which can be data of users
 */
export function customCollector(query: CustomQuery, { names = false }: { readonly names?: boolean } = {}): Collector {
  const { metrics, nodes, polling, run } = query;
  const text = 'installed' in run.source ? `the installed query ${run.source.installed}` : 'an interpreted query';
  return collector<readonly Sample[]>({
    name: customCollectorName(query),
    about: `Metrics from ${text} of the graph ${run.graph}, as the configuration defines them.`,
    scope: nodes === 'one' ? 'cluster' : 'node',
    ...(typeof nodes === 'string' ? {} : { nodes }),
    isCustom: true,
    metrics: metrics.map(({ metric }) => metric),
    defaults: { enabled: true, interval: polling.interval, timeout: polling.timeout },
    calls: [],
    privilege,
    poll: (db, signal) => poll(query, names, db, signal),
    samples: (samples) => samples,
  });
}

async function poll(
  query: CustomQuery,
  names: boolean,
  db: GraphDb,
  signal: AbortSignal,
): Promise<PollOutcome<readonly Sample[]>> {
  const { minVersion, maxVersion, name, run } = query;
  if (minVersion !== undefined || maxVersion !== undefined) {
    const versions = await db.versions(signal);
    if (!versions.ok) return versions;
    if (!isWithin(query, versions.value)) return ok([]);
  }
  const results = await db.runQuery(run, signal);
  if (!results.ok) return err(explained(results.error, query));
  const samples = mapRows(query, results.value, { names });
  return samples.ok ? samples : err(failure('body', `custom query ${name} on ${db.node}: ${samples.error}`));
}

/** Whether the server version is within the bounds of a query; true if the version is unknown. */
function isWithin({ minVersion, maxVersion }: CustomQuery, versions: readonly ComponentVersion[]): boolean {
  const version = versions.find(({ component }) => component === 'product')?.version ?? versions[0]?.version ?? '';
  if (!/^\d+\.\d+/.test(version)) return true;
  const isOldEnough = maxVersion === undefined || compareVersions(maxVersion, version) >= 0;
  return isOldEnough && (minVersion === undefined || compareVersions(minVersion, version) <= 0);
}

/** Adds the likely cause to a failure of the server. */
function explained(error: Failure, { run: { source, graph } }: CustomQuery): Failure {
  const { reason, message, code } = error;
  if (reason === 'unsupported' && 'installed' in source) {
    return { ...error, message: `${message}; the query ${source.installed} is not installed on the graph ${graph}` };
  }
  if (reason === 'auth')
    return { ...error, message: `${message}; the user of read_auth needs ${privilege} on the graph ${graph}` };
  const isRefused = reason === 'body' || reason === 'status';
  if (isRefused && code !== undefined) {
    return { ...error, message: `${message}; check the names and types of the parameters` };
  }
  return error;
}
