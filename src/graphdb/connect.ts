import { hasResponse } from '../kernel/failure.ts';
import type { OpenHttpPool } from '../kernel/http.ts';
import type { KeptText } from '../kernel/kept-text.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Digest, Files, Random } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { ReplyWorkers } from '../kernel/worker.ts';
import type { ComponentVersion } from '../model/node.ts';
import type { ClusterSettings, NodeSettings } from '../model/settings.ts';
import { type AbortCall, createAbortCall } from './abort-call.ts';
import type { TokenRequestCounts } from './access-tokens.ts';
import { type AccountComparison, createAccountComparison } from './account-gains.ts';
import { type Caller, type CallerOptions, createCaller } from './caller.ts';
import type { PathForm } from './calls.ts';
import type { CallListener, CallObserver } from './completed-call.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { createDetachedQueryFetcher } from './endpoints/detached-queries.ts';
import { createPrefixDetector, type PrefixDetector } from './endpoints/informant-metrics.ts';
import { type ProbeConnections, runProbe } from './endpoints/probe.ts';
import { createProcessListCall } from './endpoints/process-lists.ts';
import { type ConfirmedFunctions, createConfirmedFunctions } from './endpoints/user-functions.ts';
import { createAnswerCache } from './endpoints/versions.ts';
import { createTextParser, type SharedParser } from './exposition-parser.ts';
import type { GraphDb } from './graph-db.ts';
import { createGraphDiscovery, type GraphDiscovery } from './graph-discovery.ts';
import { HeartbeatRows } from './heartbeat-rows.ts';
import { createNodeCalls } from './node-calls.ts';
import { createNodePools } from './node-pools.ts';
import { createPathForms } from './path-forms.ts';
import { createStatementFile, type StatementFile } from './statement-file.ts';
import { dropToken, type TokenDropOptions } from './token-drop.ts';

/** Ports of the client. */
export interface ClientPorts {
  readonly openPool: OpenHttpPool;
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Files;
  readonly digest: Digest;
  readonly log?: Logger;
  /** Workers for long replies, shared by all clusters. */
  readonly workers?: ReplyWorkers;
  /** Returns what the accounts of a cluster are compared with after a restart; absent where nothing is kept. */
  readonly accountMemory?: (cluster: string) => KeptText;
}

/** State shared by the nodes of a cluster: graph names, informant series, path form, token. */
export interface ClusterConnection {
  /** Opens no socket yet. Each call creates a connection with its own sockets. */
  node(settings: NodeSettings): NodeConnection;
  /** Closes all nodes. */
  close(): Promise<void>;
}

/** Sockets to one node, and the requests over them. */
export interface NodeConnection {
  readonly db: GraphDb;
  /** Returns the same client for one poll, with an observer of its requests. */
  observedBy(observer: CallObserver): GraphDb;
  /** Aborts one query on the node, over a connection to the peer of its latest list; at most once. */
  readonly abort: AbortCall;
  /** Number of open sockets, at most four. */
  sockets(): number;
  /** Expiration of the token of the cluster, in seconds since the epoch; undefined without a token. */
  tokenExpiresAt(): number | undefined;
  /** Numbers of token requests of the cluster; undefined without a secret that is exchanged for a token. */
  tokenRequests(): TokenRequestCounts | undefined;
  /** Whether the credentials for aborts of the cluster could not be read at the latest process list. */
  lacksAbortCredentials(): boolean;
  /** Requests in flight fail with `unreachable`. */
  close(): Promise<void>;
}

/** Options of a client, in addition to the settings of its cluster. */
export interface ClientOptions {
  /** Maximum bytes of a reply, compressed and uncompressed. */
  readonly bodyLimit: number;
  /** Called with every finished request. */
  readonly onCall?: CallListener;
  /**
   * Returns whether lists and aborts have reserved sockets, which collectors cannot block; without them no query is
   * aborted. Called when the connection of a node is opened.
   */
  readonly guarded?: boolean;
  /** Name of this daemon, which no other one has, and which stays the same after a restart; absent for commands. */
  readonly owner?: string;
}

const versionCacheTime: Millis = 300_000;

/** Creates the client of one cluster. */
export function openCluster(settings: ClusterSettings, options: ClientOptions, ports: ClientPorts): ClusterConnection {
  const { clock, digest, files } = ports;
  const known: ClusterContext = {
    settings,
    options,
    ports,
    callerOptions: {
      credentials: createCredentials(settings.readAuth, files, clock),
      informantCredentials: createCredentials(settings.informantAuth, files, clock),
      forms: createPathForms(settings.serverVersion, clock),
      maxBytes: options.bodyLimit,
      clock,
      digest,
    },
    abortCredentials: createCredentials(settings.abortAuth, files, clock),
    abortAccess: { isMissing: false },
    graphs: createGraphDiscovery(settings.graphs, clock),
    parser: createTextParser(clock, { confirmsSeries: true }),
    detectPrefix: createPrefixDetector(settings.metricPrefix),
    statementFile: openStatementFile(settings, ports),
    readers: new Map(),
    accounts: createAccountComparison(ports.accountMemory?.(settings.name)),
    functions: createConfirmedFunctions(),
    rows: new HeartbeatRows({ owner: options.owner, cluster: settings.name, digest }),
  };
  const nodes = new Set<NodeConnection>();
  return {
    node(wanted) {
      for (const one of credentialsOf(known)) one.reopen();
      const opened = openNode(wanted, known);
      const connection: NodeConnection = {
        ...opened,
        async close() {
          // The nodes of a cluster share its tokens, and one of them may be requesting one through this node.
          const isLast = nodes.delete(connection) && nodes.size === 0;
          await (isLast ? opened.dropTokens() : Promise.all(credentialsOf(known).map((one) => one.settle())));
          await opened.close();
        },
      };
      nodes.add(connection);
      return connection;
    },
    async close() {
      await Promise.all([...nodes].map((one) => one.close()));
    },
  };
}

/** State shared by the nodes of a cluster. */
interface ClusterContext {
  readonly settings: ClusterSettings;
  readonly options: ClientOptions;
  readonly ports: ClientPorts;
  readonly callerOptions: Pick<
    CallerOptions,
    'credentials' | 'informantCredentials' | 'forms' | 'maxBytes' | 'clock' | 'digest'
  >;
  readonly abortCredentials: Credentials;
  readonly abortAccess: { isMissing: boolean };
  readonly graphs: GraphDiscovery;
  readonly parser: SharedParser;
  readonly detectPrefix: PrefixDetector;
  readonly statementFile: StatementFile | undefined;
  /** Callers of the open nodes, which read the row of a heartbeat. */
  readonly readers: Map<string, Caller>;
  readonly accounts: AccountComparison;
  readonly functions: ConfirmedFunctions;
  /** Rows of the heartbeats. */
  readonly rows: HeartbeatRows;
}

function openStatementFile(
  { name: cluster, statementsFile: path, statements: configured = {} }: ClusterSettings,
  { files, log }: ClientPorts,
): StatementFile | undefined {
  return path === undefined ? undefined : createStatementFile({ path, files, configured, log: log?.with({ cluster }) });
}

interface OpenedNode extends NodeConnection {
  /** Drops the tokens of the cluster that this process was issued, within two seconds. */
  dropTokens(): Promise<void>;
}

function openNode({ name, url }: NodeSettings, known: ClusterContext): OpenedNode {
  const { settings, options, ports, callerOptions, abortCredentials } = known;
  const { origin, pathname } = new URL(url);
  const prefix = pathname.replace(/\/+$/, '');
  const isGuarded = options.guarded ?? false;
  const { openPool, files, workers } = ports;
  const sockets = createNodePools({ origin, tls: settings.tls, openPool, files }, isGuarded);
  const { general, reserved } = sockets;
  const common = { ...callerOptions, node: name, origin, prefix, ...(workers !== undefined && { workers }) };
  const versions = createAnswerCache<readonly ComponentVersion[]>(callerOptions.clock, versionCacheTime);
  const detached = createDetachedQueryFetcher();
  const abortOptions = { pool: reserved, credentials: abortCredentials, ...joinListeners(options.onCall) };
  let form: PathForm | undefined;
  const callerWith = (...listeners: readonly (CallListener | undefined)[]): Caller =>
    createCaller({ ...common, pool: general, lists: reserved, ...joinListeners(options.onCall, ...listeners) });
  const reader = callerWith();
  known.readers.set(name, reader);
  function through(observer?: CallObserver): GraphDb {
    const caller = callerWith(observer?.onCall);
    const probing = probeConnections(known, (onCall) => callerWith(observer?.onCall, onCall));
    const listAll = createProcessListCall(caller, {
      // A later abort does not wait for a token.
      onRequest: (signal) => void (isGuarded && prepareAborts(known, caller.exchange, signal)),
      onReply: (spoken) => {
        form = spoken;
      },
    });
    return {
      ...createNodeCalls(name, caller, { ...known, versions }),
      processListAll: listAll,
      detachedQueries: (...asked) => detached(caller, ...asked),
      probe: (request, signal) => runProbe(probing, request, signal),
    };
  }
  return {
    db: through(),
    observedBy: through,
    abort: createAbortCall({ ...common, ...abortOptions, form: () => form }),
    sockets: () => sockets.openSockets(),
    tokenExpiresAt: () => callerOptions.credentials.expiresAt(),
    tokenRequests: () => callerOptions.credentials.tokenRequests(),
    lacksAbortCredentials: () => known.abortAccess.isMissing,
    dropTokens: () => dropTokens(known, { pool: general, prefix }),
    close() {
      if (known.readers.get(name) === reader) known.readers.delete(name);
      return sockets.close();
    },
  };
}

/** Reads the credentials for aborts, and requests a token if they need one. */
async function prepareAborts(
  { abortCredentials, abortAccess }: ClusterContext,
  exchange: Caller['exchange'],
  signal: AbortSignal,
): Promise<void> {
  const read = await abortCredentials.authorize('restpp', exchange, signal);
  abortAccess.isMissing = !read.ok && read.error.reason === 'auth' && !hasResponse(read.error);
}

function probeConnections(
  { callerOptions, readers, rows }: ClusterContext,
  caller: ProbeConnections['caller'],
): ProbeConnections {
  const { clock } = callerOptions;
  return { clock, caller, rows, readers: () => Array.from(readers, ([node, one]) => ({ node, caller: one })) };
}

async function dropTokens(known: ClusterContext, through: Pick<TokenDropOptions, 'pool' | 'prefix'>): Promise<void> {
  const { forms, clock } = known.callerOptions;
  const drops = credentialsOf(known).map(async (one) => {
    const issued = await one.release();
    if (issued !== undefined) await dropToken(issued, { ...through, forms, clock });
  });
  await Promise.all(drops);
}

function credentialsOf({ callerOptions, abortCredentials }: ClusterContext): readonly Credentials[] {
  return [callerOptions.credentials, callerOptions.informantCredentials, abortCredentials];
}

/** Combines observers into one; undefined without observers. */
function joinListeners(...listeners: readonly (CallListener | undefined)[]): Pick<CallerOptions, 'onCall'> | undefined {
  const all = listeners.filter((one) => one !== undefined);
  if (all.length === 0) return undefined;
  return {
    onCall: (call) => {
      for (const listener of all) listener(call);
    },
  };
}
