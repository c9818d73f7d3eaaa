import type { InventoryItem } from './inventory.ts';

/** Kinds of objects of a schema that have a name of their own. */
export const schemaObjects = ['vertex_type', 'edge_type', 'index', 'schema_change_job'] as const;

/** One of {@link schemaObjects}. */
export type SchemaObject = (typeof schemaObjects)[number];

/** Object of a schema; its parts are attributes and the types that an edge connects. */
export interface SchemaItem extends InventoryItem {
  readonly object: SchemaObject;
}

/** Objects of one kind. */
export interface SchemaList {
  readonly object: SchemaObject;
  /** Number of all objects, also of those beyond the limit of {@link items}. */
  readonly count: number;
  readonly items: readonly SchemaItem[];
}

/** Schema of one graph. */
export interface GraphSchema {
  readonly graph: string;
  /** Number of attributes of all vertex and edge types. */
  readonly attributes: number;
  /** One list for each kind that the server lists. */
  readonly lists: readonly SchemaList[];
}

/** Version of the schema of a graph, as one node applies it. */
export interface SchemaVersion {
  readonly graph: string;
  readonly version: number;
}
