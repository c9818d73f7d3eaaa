/** Origins of endpoints: part of the server, created with the installation of a query, or defined by users. */
export const endpointKinds = ['builtin', 'dynamic', 'static'] as const;

/** One of {@link endpointKinds}. */
export type EndpointKind = (typeof endpointKinds)[number];

/** Object that the server lists by name, and the parts of its definition, sorted. */
export interface InventoryItem {
  readonly name: string;
  /** Texts such as `depth INT64 default=4`; two items are equal if their parts are. */
  readonly parts: readonly string[];
  /** Digest of the configuration of the item, which is never shown. */
  readonly configuration?: string;
}

/**
 * Returns the first items in the order of their names, at most `most`: a server lists them in any order, and a limit must
 * not make the same items look added and removed.
 */
export function firstByName<Item extends InventoryItem>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return items.toSorted((one, other) => (one.name < other.name ? -1 : 1)).slice(0, most);
}

/** Endpoint of the data plane. Its name is method and path, its parts are the parameters. */
export interface EndpointItem extends InventoryItem {
  readonly kind: EndpointKind;
  /** `''` for endpoints of all graphs. */
  readonly graph: string;
}

/** Difference between two lists of the server. */
export interface InventoryChange {
  /** Kind of the item, one of a closed set for each collector. */
  readonly object: string;
  readonly change: InventoryChangeKind;
  readonly name: string;
  /** Parts of a changed item: `+` before new ones, `-` before those that are gone; `configuration`; otherwise `''`. */
  readonly detail: string;
}

/** Kinds of changes, a closed set of label values. */
export const inventoryChangeKinds = ['added', 'removed', 'changed'] as const;

/** One of {@link inventoryChangeKinds}. */
export type InventoryChangeKind = (typeof inventoryChangeKinds)[number];

/** Source of data for loading jobs, without its configuration. */
export interface DataSource extends InventoryItem {
  /** Type in the words of the server, such as `S3`; `''` if unknown. */
  readonly type: string;
  /** `''` for a source of all graphs. */
  readonly graph: string;
}

/** State of the vector indexes of a graph. */
export interface VectorStatus {
  readonly graph: string;
  /** Number of engines that rebuild them; 0 if they are ready for queries. */
  readonly rebuilding: number;
}

/** Number of vertices or edges of one type. */
export interface TypeCount {
  readonly type: string;
  readonly count: number;
}

/** Numbers of vertices and edges of a graph. A type may occur several times, with parts of its number. */
export interface GraphSize {
  readonly graph: string;
  readonly vertices: readonly TypeCount[];
  readonly edges: readonly TypeCount[];
}

/**
 * States of the definition of a query: being installed, rejected by the server since a change of the schema, switched
 * off, ready to run, or saved without an installation.
 */
export const queryStates = ['installing', 'invalid', 'disabled', 'installed', 'draft'] as const;

/** One of {@link queryStates}. */
export type QueryState = (typeof queryStates)[number];

/** Definition of a query, without its text. */
export interface QueryDefinition {
  readonly graph: string;
  readonly name: string;
  readonly state: QueryState;
}
