import type { GraphDb } from '../graphdb/graph-db.ts';
import { hasResponse } from '../kernel/failure.ts';
import { ok } from '../kernel/result.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { ComponentVersion } from '../model/node.ts';
import { collector, type PollOutcome } from './collector.ts';
import { compositeKey, distinctBy } from './keyed-rows.ts';

/** Facts of a node that answers the liveness call; the versions are empty if they are unavailable. */
interface HealthFacts {
  readonly versions: readonly ComponentVersion[];
}

const up = gauge({
  name: 'graphdb_up',
  help: 'Whether the node answers the liveness request (1) or not (0); independent of the status of its services.',
  source: 'GET /api/ping',
  essential: true,
});

const reachable = gauge({
  name: 'graphdb_reachable',
  help: 'Whether the node responds to the liveness request at all (1) or not (0); a node that refuses the request is reachable.',
  source: 'GET /api/ping',
  essential: true,
});

const buildInfo = gauge({
  name: 'graphdb_build_info',
  help: 'Version and commit of each component of the node; the value is always 1.',
  labels: ['component', 'version', 'commit'],
  source: 'GET /restpp/version, GET /gsql/v1/version',
});

/**
 * Liveness and component versions of a node. Only the liveness call decides `graphdb_up`: if an echo or version call is
 * rejected, the poll fails with its own reason while the node is up.
 */
export const health = collector<HealthFacts>({
  name: 'health',
  about: 'Whether a node answers the liveness request, and the versions of its components.',
  scope: 'node',
  metrics: [up, reachable, buildInfo],
  defaults: { enabled: true, interval: 5000, timeout: 3000 },
  calls: ['ping', 'echo', 'versions'],
  privilege: '',
  poll,
  samples,
  failureSamples: (error) => [sample(up, {}, 0), sample(reachable, {}, hasResponse(error) ? 1 : 0)],
});

async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<HealthFacts>> {
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
  yield sample(reachable, {}, 1);
  for (const row of distinctBy(versions, ({ component, version, commit }) =>
    compositeKey(component, version, commit),
  )) {
    yield sample(buildInfo, { component: row.component, version: row.version, commit: row.commit }, 1);
  }
}
