import type { OpenHttpPool } from '../kernel/http.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Files, Random } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { ComponentVersion } from '../model/node.ts';
import type { ClusterSettings, NodeSettings } from '../model/settings.ts';
import { type AbortCall, createAbortCall } from './abort-call.ts';
import { type Caller, type CallerParts, createCaller } from './caller.ts';
import type { PathForm } from './calls.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { readCategory } from './endpoints/category.ts';
import { readDataConsistency, readDeletedVertices } from './endpoints/consistency.ts';
import { readInformantMetrics } from './endpoints/informant-metrics.ts';
import { readLicense } from './endpoints/license.ts';
import { readEcho, readPing } from './endpoints/liveness.ts';
import { readDelayedList, readProcessList, readProcessListAll } from './endpoints/process-lists.ts';
import { readQueueStatus } from './endpoints/queue-status.ts';
import { readServiceStatus } from './endpoints/service-status.ts';
import { readStatistics } from './endpoints/statistics.ts';
import { readVersions } from './endpoints/versions.ts';
import { type TextParser, textParser } from './exposition-text.ts';
import type { Answer, GraphDb } from './graph-db.ts';
import { createGraphNames, type GraphNames } from './graph-names.ts';
import type { CallListener, CallWatch } from './made-call.ts';
import { nodeSockets } from './node-sockets.ts';
import { type HeardList, overheard } from './overheard.ts';
import { createPathForms } from './path-forms.ts';
import { type Remembered, remembered } from './remembered.ts';

/** The real world as the client needs it. */
export interface ClientPorts {
  readonly openPool: OpenHttpPool;
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Files;
  readonly log?: Logger;
}

/** What the nodes of a cluster have in common: graph names, the informant's series, path form, token. */
export interface ClusterConnection {
  /** Opens no socket yet. Each call gives a connection of its own, with sockets of its own. */
  node(settings: NodeSettings): NodeConnection;
  /** Closes all its nodes. */
  close(): Promise<void>;
}

/** The sockets to one node, and what can be asked over them. */
export interface NodeConnection {
  readonly db: GraphDb;
  /** The same for one read, whose calls somebody follows. */
  watched(watch: CallWatch): GraphDb;
  /** Asks the node to end one query, over a connection to where its latest list came from; at most once, ever. */
  readonly abort: AbortCall;
  /** Sockets open right now, at most four. */
  sockets(): number;
  /** When the cluster's own token ends, in seconds since the epoch; undefined where there is none. */
  tokenExpiresAt(): number | undefined;
  /** Calls under way end as `unreachable`. */
  close(): Promise<void>;
}

/** What a client is told besides the settings of its cluster. */
export interface ClientOptions {
  /** In bytes, for each answer, compressed and not. */
  readonly bodyLimit: number;
  /** Who else hears what nodes answer to `showprocesslistall`, good or not. */
  readonly heard?: (list: HeardList) => void;
  /** Told of every request when it is over. */
  readonly called?: CallListener;
  /**
   * Whether lists and aborts have sockets of their own, which collectors cannot hold up; without them nothing is
   * aborted. Read when a node's connection is opened.
   */
  readonly guarded?: boolean;
}

const versionsFor: Millis = 300_000;

/** Opens the client of one cluster. */
export function openCluster(settings: ClusterSettings, options: ClientOptions, ports: ClientPorts): ClusterConnection {
  const { clock, files } = ports;
  const known: Known = {
    settings,
    options,
    ports,
    calling: {
      credentials: createCredentials(settings.readAuth, files, clock),
      forms: createPathForms(settings.serverVersion, clock),
      maxBytes: options.bodyLimit,
      clock,
    },
    abortCredentials: createCredentials(settings.abortAuth, files, clock),
    graphs: createGraphNames(settings.graphs, clock),
    parser: textParser(clock),
  };
  const nodes = new Set<NodeConnection>();
  return {
    node(wanted) {
      const opened = openNode(wanted, known);
      const connection: NodeConnection = {
        ...opened,
        async close() {
          nodes.delete(connection);
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

/** What the nodes of a cluster share. */
interface Known {
  readonly settings: ClusterSettings;
  readonly options: ClientOptions;
  readonly ports: ClientPorts;
  readonly calling: Pick<CallerParts, 'credentials' | 'forms' | 'maxBytes' | 'clock'>;
  readonly abortCredentials: Credentials;
  readonly graphs: GraphNames;
  readonly parser: TextParser;
}

function openNode({ name, url }: NodeSettings, known: Known): NodeConnection {
  const { settings, options, ports, calling, abortCredentials } = known;
  const { origin, pathname } = new URL(url);
  const prefix = pathname.replace(/\/+$/, '');
  const isGuarded = options.guarded ?? false;
  const { openPool, files } = ports;
  const sockets = nodeSockets({ origin, tls: settings.tls, openPool, files }, isGuarded);
  const { plain, lists } = sockets;
  const common = { ...calling, node: name, origin, prefix };
  const versions = remembered<readonly ComponentVersion[]>(calling.clock, versionsFor);
  let form: PathForm | undefined;
  function through(watch?: CallWatch): GraphDb {
    const caller = createCaller({ ...common, pool: plain, lists, ...callListener(options.called, watch?.called) });
    const listing = overheard(caller, ({ form: understood, ...list }) => {
      form = understood ?? form;
      const cycle = watch && { cycle: watch.cycle };
      options.heard?.({ cluster: settings.name, node: name, ...list, ...cycle });
    });
    return {
      ...graphDb(name, caller, versions, known),
      async processListAll(signal) {
        // An abort that may follow does not wait for a token.
        if (isGuarded) void abortCredentials.ticket('restpp', caller.exchange, signal);
        return await readProcessListAll(listing, signal);
      },
    };
  }
  return {
    db: through(),
    watched: through,
    abort: createAbortCall({
      ...common,
      pool: lists,
      credentials: abortCredentials,
      form: () => form,
      ...callListener(options.called),
    }),
    sockets: () => sockets.open(),
    tokenExpiresAt: () => calling.credentials.expiresAt(),
    close: () => sockets.close(),
  };
}

/** One listener for all who listen; none where nobody does. */
function callListener(
  ...listeners: readonly (CallListener | undefined)[]
): { readonly called: CallListener } | undefined {
  const all = listeners.filter((one) => one !== undefined);
  if (all.length === 0) return undefined;
  return {
    called: (call) => {
      for (const listener of all) listener(call);
    },
  };
}

function graphDb(
  node: string,
  caller: Caller,
  versions: Remembered<readonly ComponentVersion[]>,
  { settings, graphs, parser }: Known,
): Omit<GraphDb, 'processListAll'> {
  /** A node that was away may be back as another one. */
  async function ping(signal: AbortSignal): Answer<true> {
    const answer = await readPing(caller, signal);
    if (!answer.ok) versions.forget();
    return answer;
  }

  async function inGraph<Facts>(answer: Answer<Facts>): Answer<Facts> {
    const told = await answer;
    if (!told.ok && told.error.reason === 'unsupported') graphs.doubt();
    return told;
  }

  return {
    cluster: settings.name,
    node,
    graphs: (signal) => graphs.names(caller, signal),
    ping,
    echo: (signal) => readEcho(caller, signal),
    versions: (signal) => versions.ask(() => readVersions(caller, signal)),
    informantMetrics: (signal) => readInformantMetrics(caller, parser, settings.metricPrefix, signal),
    category: (category, signal) => readCategory(caller, category, signal),
    serviceStatus: (signal) => readServiceStatus(caller, signal),
    statistics: (graph, signal) => inGraph(readStatistics(caller, graph, signal)),
    processList: (graph, signal) => inGraph(readProcessList(caller, graph, signal)),
    delayedList: (signal) => readDelayedList(caller, signal),
    queueStatus: (signal) => readQueueStatus(caller, signal),
    license: (signal) => readLicense(caller, signal),
    dataConsistency: (signal) => readDataConsistency(caller, signal),
    deletedVertices: (signal) => readDeletedVertices(caller, signal),
  };
}
