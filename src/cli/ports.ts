import type { Format } from '../expose/metrics-page.ts';
import type { OpenHttpPool } from '../kernel/http.ts';
import type {
  BoundListener,
  FailedAuthentication,
  Listen,
  ListenerCounters,
  ListenOnSocket,
  RequestHandler,
  TrustedProxies,
} from '../kernel/listener.ts';
import type { AdjustableLog, Logger, LogSettings } from '../kernel/logger.ts';
import type { SendMail } from '../kernel/mail.ts';
import type { ListenerPeers } from '../kernel/peers.ts';
import type { ReplyMemory } from '../kernel/reply-memory.ts';
import type { Result } from '../kernel/result.ts';
import type { StateTools } from '../kernel/state-tools.ts';
import type { OpenStore, Store } from '../kernel/store.ts';
import type {
  CreateFile,
  Cron,
  Digest,
  Dns,
  Files,
  LineFiles,
  Output,
  Random,
  ReadStatusPage,
  ReplaceFile,
  Signals,
  Supervisor,
} from '../kernel/system.ts';
import type { Clock } from '../kernel/time.ts';
import type { ReplyWorkers } from '../kernel/worker.ts';
import type { ConfigProblem } from '../model/config-problem.ts';
import type { OpenMetricExporter } from '../model/metric-export.ts';
import type { OpenSharedState, SharedStateToolOptions, SharedStateTools } from '../model/replica-database.ts';
import type { OpenTraceExporter } from '../model/span.ts';
import type { WebConfigFile } from '../model/web-settings.ts';

/** Ports of the commands that load at once. */
export interface CliPorts {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly files: Files;
  readonly createFile: CreateFile;
  readonly signals: Signals;
  readonly build: { readonly version: string; readonly commit: string };
  /** Absent if no supervisor expects reports. */
  readonly supervisor?: Supervisor | undefined;
  /** Loads the other ports, for commands that use the network. */
  readonly loadRuntime: () => Promise<RuntimePorts>;
}

/** Ports that take time to load: logging, sockets, metrics of the process. */
export interface RuntimePorts {
  readonly random: Random;
  readonly dns: Dns;
  readonly cron: Cron;
  readonly openPool: OpenHttpPool;
  /** Workers for long replies of servers; without them they are processed in slices. */
  readonly workers?: ReplyWorkers;
  /** Memory budget for long replies; absent where none is configured. */
  readonly replyMemory?: ReplyMemory;
  readonly sendMail: SendMail;
  readonly digest: Digest;
  readonly lineFiles: LineFiles;
  readonly replaceFile: ReplaceFile;
  readonly openLog: (settings: LogSettings, out: Output) => Promise<AdjustableLog>;
  /** Listener without users and TLS, for the simulator. */
  readonly listen: Listen;
  /** Unix socket of the daemon, for the commands of its own user. */
  readonly listenOnSocket: ListenOnSocket;
  /** Unpredictable text for a password or a session. */
  readonly createToken: () => string;
  /** Permission bits of a file or directory; undefined if there is none. */
  readonly fileMode: (path: string) => Promise<number | undefined>;
  readonly readStatusPage: ReadStatusPage;
  /** Name of this host. */
  readonly hostname: string;
  /** Listener of the daemon. Rejects if the address cannot be bound. */
  readonly openDaemonListener: (
    options: DaemonListenerOptions,
  ) => Promise<Result<DaemonListener, readonly ConfigProblem[]>>;
  readonly createSelfMetrics: (build: CliPorts['build']) => SelfMetrics;
  /** Enables the optimizing compiler of the engine, which takes memory; with `whenBusy` not before the process is busy. */
  readonly enableOptimizer: (whenBusy: boolean, stopped: AbortSignal) => void;
  /** Tunes the memory of the engine for the number of configured nodes. */
  readonly tuneForFleet: (nodes: number, stopped: AbortSignal) => void;
  readonly openStore: OpenStore;
  /** Opens the database that replicas share. Loads its driver, so it is only called if one is configured. */
  readonly openSharedState: OpenSharedState;
  /** Loads the tools for a shared database. */
  readonly loadSharedStateTools: (options: SharedStateToolOptions) => Promise<SharedStateTools>;
  /** Span exporter. Loads a large library, so it is only called if tracing is on. */
  readonly openSpans: OpenTraceExporter;
  /** Metric exporter, of the same library. */
  readonly openMetrics: OpenMetricExporter;
  /** Loads the tools for the files of a state directory. */
  readonly loadStateTools: () => Promise<StateTools>;
  /** State of a stopped daemon, read-only. */
  readonly openStoreReadOnly: (folder: string) => Promise<Result<Store, string>>;
}

/** Options of the listener of the daemon. */
export interface DaemonListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly log: Logger;
  readonly webConfigFile?: string;
  /** Requests of other replicas, and how to check them; absent without other replicas. */
  readonly peers?: ListenerPeers | undefined;
  /** Whether a path never requires authentication. */
  readonly isPublic: (path: string) => boolean;
  readonly trustedProxies: () => TrustedProxies;
  /** Maximum number of connections. */
  readonly maxConnections: () => number;
  readonly counters: ListenerCounters;
  /** Called at most once a minute for each address. */
  readonly onAuthenticationFailed: (failure: FailedAuthentication) => void;
}

/** Bound listener of the daemon. */
export interface DaemonListener extends BoundListener {
  readonly scheme: 'http' | 'https';
  /** Returns the SHA-256 fingerprint of the present certificate; absent without TLS. */
  readonly fingerprint?: () => Promise<string | undefined>;
  /** Absent without a web config file. */
  readonly webConfig?: WebConfigFile;
}

/** Self-metrics of the process. */
export interface SelfMetrics {
  tail(format: Format): Promise<string>;
  reloaded(ok: boolean, atSeconds: number): void;
  readonly listener: ListenerCounters;
  stop(): void;
}
