import type { Config } from '../../config/config.ts';
import type { Format } from '../../expose/metrics-page.ts';
import type { OpenHttpPool } from '../../kernel/http.ts';
import type { FailedAuthentication, RequestHandler, TrustedProxies } from '../../kernel/listener.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { SendMail } from '../../kernel/mail.ts';
import type { Ownership, ReplicaAddress } from '../../kernel/ownership.ts';
import type { Peers } from '../../kernel/peers.ts';
import type { ReplyMemory } from '../../kernel/reply-memory.ts';
import type { Result } from '../../kernel/result.ts';
import type { Store } from '../../kernel/store.ts';
import type { Cron, Digest, Dns, Files, LineFiles, Random, ReadStatusPage } from '../../kernel/system.ts';
import type { Clock } from '../../kernel/time.ts';
import type { ReplyWorkers } from '../../kernel/worker.ts';
import type { ConfigProblem } from '../../model/config-problem.ts';
import type { MetricExporter } from '../../model/metric-export.ts';
import type { SpanRecorder, TraceExporter } from '../../model/span.ts';

/** Ports that the application needs. */
export interface AppPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly openPool: OpenHttpPool;
  /** Workers for long replies of servers; without them they are processed in slices. */
  readonly workers?: ReplyWorkers;
  /** Memory budget for long replies; absent where none is configured. */
  readonly replyMemory?: ReplyMemory;
  readonly sendMail: SendMail;
  readonly digest: Digest;
  readonly files: Files;
  readonly dns: Dns;
  readonly cron: Cron;
  /** Durable state. The caller opens it before the start and closes it after the stop. */
  readonly store: Store;
  /** Ownership of the clusters; absent if no other replica shares the store. The application starts and stops it. */
  readonly ownership?: Ownership;
  /** Other replicas; absent if no other replica shares the store. */
  readonly peers?: Peers;
  /** Files of the flight recorder in the state directory; absent if the state is not on disk. */
  readonly recordingFiles?: LineFiles;
  /** Exporter of all other traces. The caller opens it before the start and closes it after the stop. */
  readonly spanExports?: TraceExporter;
  /** Exporter of the metrics; absent if they are only scraped. The application starts it, the caller closes it. */
  readonly metricExports?: MetricExporter;
  /** Returns the metrics that change at every scrape (process, event loop, build, reload), without `# EOF`. */
  readonly tail: (format: Format) => Promise<string>;
  /** Reloads the configuration file, for `POST /-/reload`. */
  readonly reload: () => Promise<Result<readonly string[], readonly ConfigProblem[]>>;
  readonly build: { readonly version: string; readonly commit: string };
  /** Name of this host, which requests may have in `Host`. */
  readonly hostname: string;
  /** Recorder of the spans of this process; absent if tracing is off. */
  readonly spans?: SpanRecorder;
  readonly readStatusPage: ReadStatusPage;
  /** Notice at the top of the status page, such as that all data is simulated. */
  readonly notice?: string;
}

/** Application that monitors the configured clusters. Several of them can run in one process. */
export interface App {
  /** Handles the requests below the route prefix. */
  readonly handler: RequestHandler;
  /** Handles the requests of other replicas: without the route prefix, whatever their `Host`. */
  readonly peerHandler: RequestHandler;
  /** Handles the requests of a local operator: without the route prefix, whatever their `Host`. */
  readonly localHandler: RequestHandler;
  /** Trusted proxies of the current configuration. */
  trustedProxies(): TrustedProxies;
  /** Maximum number of connections of the listener, in the current configuration. */
  maxConnections(): number;
  /** Whether a path is exempt from authentication, with the current prefix. */
  isPublic(path: string): boolean;
  /** Whether polls are overdue, so that the process makes no progress. */
  isStalled(): boolean;
  /**
   * Starts polling. Resolves at once; readiness follows the first round. `address` is where other replicas reach this one,
   * unless the configuration names another address.
   */
  start(address?: ReplicaAddress): Promise<void>;
  /** Applies a configuration. What did not change keeps its state, sockets and schedule. */
  reconfigure(config: Config): Promise<void>;
  /** Adds requests with wrong credentials to the audit log. */
  authenticationFailed(failure: FailedAuthentication): void;
  /** Pauses the guard until an operator resumes it, for the signal SIGUSR2. */
  pauseGuard(): void;
  /** Stops polling, cancels polls in flight and closes sockets. Idempotent. */
  stop(): Promise<void>;
}
