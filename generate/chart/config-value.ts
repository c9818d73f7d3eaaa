import { z } from 'zod';
import { schema } from '../../src/config/load.ts';
import { shapeOf } from '../../src/config/shape.ts';
import type { Json, JsonSchema, Leaf } from './value.ts';

/** What the chart itself says in the configuration file. */
const ownKeys = ['listen', 'web_config_file', 'state_dir', 'scope', 'clusters'];
const properties = z.record(z.string(), z.json());

/** The other keys of the configuration file, held to the schema of the program itself. */
export function configValue(about: string): Leaf {
  const all = properties.parse(structuredClone(shapeOf(schema).properties));
  return closed(
    about,
    Object.entries(all).filter(([key]) => !ownKeys.includes(key)),
  );
}

/** What the chart says of each cluster, under keys of its own. */
const ownClusterKeys = ['name', 'labels', 'nodes', 'discover', 'read_auth', 'abort_auth', 'tls'];
const clusters = z.object({ clusters: z.object({ items: z.object({ properties }) }) });

/** The other keys of one cluster there, held to the same schema: none that would take the chart's back. */
export function clusterOptionsValue(about: string): Leaf {
  const { items } = clusters.parse(structuredClone(shapeOf(schema).properties)).clusters;
  return closed(
    about,
    Object.entries(items.properties).filter(([key]) => !ownClusterKeys.includes(key)),
  );
}

/** One key of a cluster there that the chart takes as it is, held to the same schema. */
export function clusterKeySchema(key: string): JsonSchema {
  const { items } = clusters.parse(structuredClone(shapeOf(schema).properties)).clusters;
  return z.record(z.string(), z.json()).parse(items.properties[key]);
}

/** Those of them that are for a node alone; their schema is that of the value `config`. */
export function nodeConfigValue(about: string, keys: readonly string[]): Leaf {
  return closed(
    about,
    keys.map((key) => [key, { $ref: `#/properties/config/properties/${key}` }]),
  );
}

function closed(about: string, known: readonly (readonly [string, Json])[]): Leaf {
  const parts = { type: 'object', properties: Object.fromEntries(known), additionalProperties: false };
  return { kind: 'leaf', about, type: 'mapping', schema: parts, fallback: {} };
}
