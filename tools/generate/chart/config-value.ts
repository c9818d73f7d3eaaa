import { z } from 'zod';
import { jsonSchemaOf } from '../../../src/config/json-schema.ts';
import { configFileSchema } from '../../../src/config/load.ts';
import type { Json, JsonSchema, Leaf } from './value.ts';

/** Keys of the configuration file that the chart sets. */
const ownKeys = ['listen', 'web_config_file', 'state_dir', 'scope', 'clusters'];
const properties = z.record(z.string(), z.json());

/** Returns a value for the other keys of the configuration file, with the schema of the program. */
export function configValue(about: string): Leaf {
  const all = properties.parse(structuredClone(jsonSchemaOf(configFileSchema()).properties));
  return closed(
    about,
    Object.entries(all).filter(([key]) => !ownKeys.includes(key)),
  );
}

/** Keys of a cluster for which the chart has its own values. */
const ownClusterKeys = ['name', 'labels', 'nodes', 'discover', 'read_auth', 'abort_auth', 'tls'];
const clusters = z.object({ clusters: z.object({ items: z.object({ properties }) }) });

/** Returns a value for the other keys of a cluster, with the same schema, without keys that the chart sets. */
export function clusterOptionsValue(about: string): Leaf {
  const { items } = clusters.parse(structuredClone(jsonSchemaOf(configFileSchema()).properties)).clusters;
  return closed(
    about,
    Object.entries(items.properties).filter(([key]) => !ownClusterKeys.includes(key)),
  );
}

/** Returns the schema of a key of a cluster that the chart passes through. */
export function clusterKeySchema(key: string): JsonSchema {
  const { items } = clusters.parse(structuredClone(jsonSchemaOf(configFileSchema()).properties)).clusters;
  return z.record(z.string(), z.json()).parse(items.properties[key]);
}

/** Returns a value for keys that apply to sidecars, with the schema of the value `config`. */
export function nodeConfigValue(about: string, keys: readonly string[]): Leaf {
  return closed(
    about,
    keys.map((key) => [key, { $ref: `#/properties/config/properties/${key}` }]),
  );
}

function closed(about: string, known: readonly (readonly [string, Json])[]): Leaf {
  const parts = { type: 'object', properties: Object.fromEntries(known), additionalProperties: false };
  return { kind: 'leaf', about, type: 'mapping', schema: parts, defaultValue: {} };
}
