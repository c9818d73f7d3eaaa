import { type Caller, createCaller } from '../../src/graphdb/caller.ts';
import { openCluster } from '../../src/graphdb/connect.ts';
import { createCredentials } from '../../src/graphdb/credentials.ts';
import { createPathForms } from '../../src/graphdb/path-forms.ts';
import type { Failure } from '../../src/kernel/failure.ts';
import type { HttpPool, OpenHttpPool } from '../../src/kernel/http.ts';
import type { Result } from '../../src/kernel/result.ts';
import type { Files } from '../../src/kernel/system.ts';
import type { Clock } from '../../src/kernel/time.ts';
import type { AuthSettings, ClusterSettings } from '../../src/model/settings.ts';
import { FakeClock } from './clock.ts';
import { digest } from './digest.ts';
import { FakeFiles } from './fake-files.ts';
import type { FakePool } from './fake-pool.ts';

/** Cluster settings without nodes and credentials, which tests override. */
export const bareCluster: ClusterSettings = {
  name: 'test',
  labels: {},
  nodes: [],
  readAuth: { kind: 'none' },
  abortAuth: { kind: 'none' },
  informantAuth: { kind: 'none' },
  graphs: 'auto',
  serverVersion: 'auto',
  metricPrefix: 'auto',
};

/** Options of a caller. */
export interface CallerOptions {
  readonly auth?: AuthSettings;
  readonly informantAuth?: AuthSettings;
  readonly serverVersion?: string;
  readonly clock?: Clock;
  readonly files?: Files;
  readonly node?: string;
}

/** Creates the caller of node `m1` over a given pool. */
export function callerOver(pool: Pick<HttpPool, 'request'>, options: CallerOptions = {}): Caller {
  const { auth = { kind: 'none' }, serverVersion = 'auto', clock = new FakeClock(), files = new FakeFiles() } = options;
  return createCaller({
    node: options.node ?? 'm1',
    origin: 'http://m1:14240',
    prefix: '',
    pool,
    informantCredentials: createCredentials(options.informantAuth ?? { kind: 'none' }, files, clock),
    credentials: createCredentials(auth, files, clock),
    forms: createPathForms(serverVersion, clock),
    maxBytes: 100_000_000,
    clock,
    digest,
  });
}

/** Returns a signal that is never aborted. */
export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Returns the facts of an answer; throws if it is a failure. */
export function factsOf<Facts>(result: Result<Facts, Failure>): Facts {
  if (result.ok) return result.value;
  throw new Error(`${result.error.reason}: ${result.error.message}`);
}

/** Returns the failure of an answer; throws if it is a success. */
export function failureOf(result: Result<unknown, Failure>): Failure {
  if (!result.ok) return result.error;
  throw new Error(`unexpectedly good: ${JSON.stringify(result.value)}`);
}

/** Opens a cluster over the given pools, by the origin of a node. */
export function clusterOver(
  pools: Readonly<Record<string, FakePool>>,
  settings: Partial<ClusterSettings> = {},
  clock = new FakeClock(),
) {
  const openPool: OpenHttpPool = ({ origin }) => {
    const pool = pools[origin];
    if (pool === undefined) throw new Error(`no pool for ${origin}`);
    return pool;
  };
  const ports = { openPool, clock, random: { next: () => 0.5 }, files: new FakeFiles(), digest };
  return openCluster({ ...bareCluster, ...settings }, { bodyLimit: 5000 }, ports);
}
