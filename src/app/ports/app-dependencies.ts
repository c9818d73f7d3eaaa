import type { Rule } from '../../alert/rule.ts';
import type { Collector } from '../../collect/collector.ts';
import type { MetricsPage } from '../../expose/metrics-page.ts';
import type { AbortReply, AbortRequest } from '../../graphdb/abort-reply.ts';
import type { TokenRequestCounts } from '../../graphdb/access-tokens.ts';
import type { CallObserver } from '../../graphdb/completed-call.ts';
import type { ClientOptions } from '../../graphdb/connect.ts';
import type { GraphDb } from '../../graphdb/graph-db.ts';
import type { ClusterSettings, LimitSettings, NodeSettings } from '../../model/settings.ts';
import type { Deliverer } from '../../notify/deliverer.ts';
import type { Notifier } from '../../notify/notifier.ts';
import type { DeliverySettings } from '../../notify/settings.ts';

/** Connections to one node. */
export interface NodeClient {
  readonly db: GraphDb;
  /** Returns the same database with an observer of its calls, for one poll. */
  observedBy(observer: CallObserver): GraphDb;
  /** Requests the abort of one query, at most once. Sends nothing if the cluster is not guarded. */
  abort(order: AbortRequest, signal: AbortSignal): Promise<AbortReply>;
  /** Returns the number of open sockets. */
  sockets(): number;
  /** Returns the expiry of the token in use, seconds since the epoch; undefined without a token. */
  tokenExpiresAt(): number | undefined;
  /**
   * Returns the number of token requests of the cluster by outcome; undefined without a secret that is exchanged for a
   * token.
   */
  tokenRequests(): TokenRequestCounts | undefined;
  /** Returns whether the credentials for aborts of the cluster could not be read at the latest process list. */
  lacksAbortCredentials(): boolean;
  close(): Promise<void>;
}

/** Connections to one cluster. */
export interface ClusterClient {
  node(settings: NodeSettings): NodeClient;
  close(): Promise<void>;
}

/** Wraps the notifier of a receiver. */
type WrapNotifier = (receiver: string, notifier: Notifier) => Notifier;

/** Parts that the application is assembled from; tests replace them. */
export interface AppDependencies {
  readonly collectors: readonly Collector[];
  readonly openCluster: (settings: ClusterSettings, options: ClientOptions) => ClusterClient;
  readonly createPage: (limits: LimitSettings) => MetricsPage;
  readonly rules: readonly Rule[];
  /** `wrap` replaces each notifier that is opened. */
  readonly createDeliverer: (settings: DeliverySettings, wrap?: WrapNotifier) => Deliverer;
}
