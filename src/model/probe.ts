import type { Failure } from '../kernel/failure.ts';
import type { Result } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';

/** Text, number or truth value of a parameter. */
export type ParameterScalar = string | number | boolean;

/** Vertex as a parameter; the type is absent if the query declares it. */
export interface ParameterVertex {
  readonly id: string;
  readonly type?: string;
}

/** Value of a parameter of a query. */
export type ParameterValue =
  | ParameterScalar
  | ParameterVertex
  | readonly (ParameterScalar | ParameterVertex)[]
  | { readonly map: Readonly<Record<string, ParameterScalar>> };

/** Parameters of a query by name. */
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** Limits that the server applies to one run of a query. */
export interface QueryLimits {
  /** Replica that runs the query, from 1. */
  readonly replica?: number;
  /** Threads on each node. */
  readonly threads?: number;
  /** Bytes on each node. */
  readonly memory?: number;
}

/** Vertex with its type. */
export interface TypedVertex {
  readonly type: string;
  readonly id: string;
}

/** Condition on the vertices or edges of a path. */
export interface PathFilter {
  readonly type: string;
  readonly condition?: string;
}

/** Search for paths between vertices. */
export interface PathSearch {
  readonly sources: readonly TypedVertex[];
  readonly targets: readonly TypedVertex[];
  readonly vertexFilters: readonly PathFilter[];
  readonly edgeFilters: readonly PathFilter[];
  readonly maxLength?: number;
  /** Every shortest path instead of one. */
  readonly allShortest?: boolean;
}

/** Edges of a source vertex; each member narrows the one before. */
export interface EdgeSelection {
  readonly source: TypedVertex;
  readonly edgeType?: string;
  readonly targetType?: string;
  readonly targetId?: string;
  readonly limit?: number;
}

/** Request of a probe. The set is closed, so that no other request can be configured. */
export type ProbeTask =
  | {
      readonly kind: 'installed_query';
      readonly query: string;
      readonly method: 'get' | 'post';
      readonly parameters: ParameterValues;
      readonly limits: QueryLimits;
    }
  | {
      readonly kind: 'interpreted_query';
      readonly statement: string;
      readonly parameters: ParameterValues;
      readonly limits: QueryLimits;
    }
  | { readonly kind: 'template_query'; readonly template: string; readonly parameters: ParameterValues }
  | { readonly kind: 'vertex'; readonly vertex: TypedVertex; readonly select: readonly string[] }
  | { readonly kind: 'edges'; readonly selection: EdgeSelection; readonly select: readonly string[] }
  | { readonly kind: 'shortest_path'; readonly search: PathSearch }
  | { readonly kind: 'all_paths'; readonly search: PathSearch }
  | { readonly kind: 'write_heartbeat' };

/** Kinds of tasks, in the order of the documents. */
export const probeTaskKinds = [
  'installed_query',
  'interpreted_query',
  'template_query',
  'vertex',
  'edges',
  'shortest_path',
  'all_paths',
  'write_heartbeat',
] as const satisfies readonly ProbeTask['kind'][];

/** Request of a probe. */
export interface ProbeRequest {
  readonly graph: string;
  readonly task: ProbeTask;
  /** Time after which the probe fails, and the server ends its query. */
  readonly timeout: Millis;
}

/** Parts of a probe whose duration is measured. Closed, because it is a label value. */
export const probePhases = ['authentication', 'queue', 'response', 'load', 'visible', 'delete'] as const;

/** One of {@link probePhases}. */
export type ProbePhase = (typeof probePhases)[number];

/** Reasons for which a heartbeat fails in addition to those of requests. */
export type HeartbeatFailure = 'rejected' | 'not_visible' | 'not_deleted';

/** Time after which a node returned a row that another node loaded, from the start of the load request. */
export interface RowVisibility {
  readonly node: string;
  /** Undefined if the node did not return the row in time. */
  readonly after: Millis | undefined;
}

/** Result of a {@link ProbeRequest}. */
export interface ProbeReply {
  /** Result of the server; the error of a request, or a failure of a heartbeat. */
  readonly outcome: Result<unknown, Failure & { readonly heartbeat?: HeartbeatFailure }>;
  readonly duration: Millis;
  /** When the reply was complete, ms since the epoch. */
  readonly endedAt: number;
  /** Durations of the phases that took place. */
  readonly phases: Readonly<Partial<Record<ProbePhase, Millis>>>;
  /** Nodes that a heartbeat read, in their order; empty for other probes. */
  readonly visibility: readonly RowVisibility[];
}
