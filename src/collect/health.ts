import type { GraphDb } from '../graphdb/graph-db.ts';
import { ok } from '../kernel/result.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { ComponentVersion } from '../model/node.ts';
import { collector, type ReadResult } from './collector.ts';
import { distinct, keyOf } from './distinct.ts';

/** A node that answered the liveness call; the versions are missing where they could not be read. */
interface HealthFacts {
  readonly versions: readonly ComponentVersion[];
}

const up = gauge({
  name: 'graphdb_up',
  help: '1 if the node answered the liveness call (GET /api/ping), 0 if not; says nothing about its services.',
  source: 'GET /api/ping',
});

const buildInfo = gauge({
  name: 'graphdb_build_info',
  help: '1 for each component of the node, with its version and commit as the version calls print them.',
  labels: ['component', 'version', 'commit'],
  source: 'GET /restpp/version, GET /gsql/v1/version',
});

/**
 * Is the node there, and what runs on it. The liveness call alone decides on up: a refused echo or version
 * call makes the reading fail, with its own reason, on a node that is up.
 */
export const health = collector<HealthFacts>({
  name: 'health',
  about: 'Whether a node answers, and the versions of its components.',
  scope: 'node',
  metrics: [up, buildInfo],
  defaults: { enabled: true, every: 5000, timeout: 3000 },
  calls: ['ping', 'echo', 'versions'],
  privilege: '',
  read,
  samples,
  failed: () => [sample(up, {}, 0)],
});

async function read(db: GraphDb, signal: AbortSignal): Promise<ReadResult<HealthFacts>> {
  const ping = await db.ping(signal);
  if (!ping.ok) return ping;
  const echo = await db.echo(signal);
  const versions = await db.versions(signal);
  const facts = { versions: versions.ok ? versions.value : [] };
  if (!echo.ok) return { ...echo, partial: facts };
  return versions.ok ? ok(facts) : { ...versions, partial: facts };
}

function* samples({ versions }: HealthFacts): Generator<Sample> {
  yield sample(up, {}, 1);
  for (const row of distinct(versions, ({ component, version, commit }) => keyOf(component, version, commit))) {
    yield sample(buildInfo, { component: row.component, version: row.version, commit: row.commit }, 1);
  }
}
