import type { OpenHttpPool } from '../kernel/http.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Files, Random } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { ClusterSettings, NodeSettings } from '../model/settings.ts';
import { type Caller, createCaller } from './caller.ts';
import { createCredentials } from './credentials.ts';
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
import { createNodePool } from './node-pool.ts';
import { type HeardList, overheard } from './overheard.ts';
import { createPathForms } from './path-forms.ts';
import { remembered } from './remembered.ts';

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
}

const socketsPerNode = 4;
const versionsFor: Millis = 300_000;

/** Opens the client of one cluster. */
export function openCluster(settings: ClusterSettings, options: ClientOptions, ports: ClientPorts): ClusterConnection {
  const { clock, files, openPool } = ports;
  const shared = {
    credentials: createCredentials(settings.readAuth, files, clock),
    forms: createPathForms(settings.serverVersion, clock),
    maxBytes: options.bodyLimit,
    clock,
  };
  const known: Known = {
    settings,
    graphs: createGraphNames(settings.graphs, clock),
    parser: textParser(clock),
    heard: options.heard ?? (() => undefined),
  };
  const nodes = new Set<NodeConnection>();

  function node({ name, url }: NodeSettings): NodeConnection {
    const { origin, pathname } = new URL(url);
    const pool = createNodePool({ origin, sockets: socketsPerNode, tls: settings.tls, openPool, files });
    const caller = createCaller({ ...shared, node: name, prefix: pathname.replace(/\/+$/, ''), pool });
    const connection: NodeConnection = {
      db: graphDb(name, caller, known),
      sockets: () => pool.sockets(),
      tokenExpiresAt: () => shared.credentials.expiresAt(),
      async close() {
        nodes.delete(connection);
        await pool.close();
      },
    };
    nodes.add(connection);
    return connection;
  }

  return {
    node,
    async close() {
      await Promise.all([...nodes].map((one) => one.close()));
    },
  };
}

interface Known {
  readonly settings: ClusterSettings;
  readonly graphs: GraphNames;
  readonly parser: TextParser;
  readonly heard: NonNullable<ClientOptions['heard']>;
}

function graphDb(node: string, caller: Caller, { settings, graphs, parser, heard }: Known): GraphDb {
  const listing = overheard(caller, (list) => heard({ cluster: settings.name, node, ...list }));
  const versions = remembered(caller.clock, versionsFor, (signal) => readVersions(caller, signal));

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
    versions: (signal) => versions.ask(signal),
    informantMetrics: (signal) => readInformantMetrics(caller, parser, settings.metricPrefix, signal),
    category: (category, signal) => readCategory(caller, category, signal),
    serviceStatus: (signal) => readServiceStatus(caller, signal),
    statistics: (graph, signal) => inGraph(readStatistics(caller, graph, signal)),
    processListAll: (signal) => readProcessListAll(listing, signal),
    processList: (graph, signal) => inGraph(readProcessList(caller, graph, signal)),
    delayedList: (signal) => readDelayedList(caller, signal),
    queueStatus: (signal) => readQueueStatus(caller, signal),
    license: (signal) => readLicense(caller, signal),
    dataConsistency: (signal) => readDataConsistency(caller, signal),
    deletedVertices: (signal) => readDeletedVertices(caller, signal),
  };
}
