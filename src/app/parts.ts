import type { Rule } from '../alert/rule.ts';
import type { Collector } from '../collect/collector.ts';
import type { Page } from '../expose/page.ts';
import type { AbortReply, AbortRequest } from '../graphdb/abort-reply.ts';
import type { ClientOptions } from '../graphdb/connect.ts';
import type { GraphDb } from '../graphdb/graph-db.ts';
import type { CallWatch } from '../graphdb/made-call.ts';
import type { ClusterSettings, LimitSettings, NodeSettings } from '../model/settings.ts';
import type { Deliverer } from '../notify/deliverer.ts';
import type { Notifier } from '../notify/notifier.ts';
import type { DeliverySettings } from '../notify/settings.ts';

/** The way to one node. */
export interface NodeLink {
  readonly db: GraphDb;
  /** The same for one read, whose calls somebody follows. */
  watched(watch: CallWatch): GraphDb;
  /** Asks the node to end one query; at most once, ever. Where the cluster is not guarded nothing is sent. */
  abort(order: AbortRequest, signal: AbortSignal): Promise<AbortReply>;
  /** Sockets open right now. */
  sockets(): number;
  /** When the token in use expires, seconds since the epoch; undefined where there is none. */
  tokenExpiresAt(): number | undefined;
  close(): Promise<void>;
}

/** The way to one cluster, and what its nodes share. */
export interface ClusterLink {
  node(settings: NodeSettings): NodeLink;
  close(): Promise<void>;
}

/** Gives the notifier that a receiver is told by in place of the one that was opened for it. */
type FollowNotifier = (receiver: string, notifier: Notifier) => Notifier;

/** What the application is put together from, so that its tests can bring their own. */
export interface AppParts {
  readonly collectors: readonly Collector[];
  readonly openCluster: (settings: ClusterSettings, options: ClientOptions) => ClusterLink;
  readonly createPage: (limits: LimitSettings) => Page;
  readonly rules: readonly Rule[];
  /** `follow` stands in for each notifier that is opened. */
  readonly createDeliverer: (settings: DeliverySettings, follow?: FollowNotifier) => Deliverer;
}
