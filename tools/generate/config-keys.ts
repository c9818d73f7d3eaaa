import type { JsonSchema } from '../../src/config/json-schema.ts';

/** Key of the configuration, as a row of the reference. */
export interface ConfigKey {
  /** `clusters[].nodes[].url` */
  readonly path: string;
  readonly type: string;
  /** Default as YAML flow text; `''` if there is none. */
  readonly defaultValue: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** Yields all keys below `shape`, in the order of the schema. */
export function* keysOf(shape: JsonSchema, path = ''): Generator<ConfigKey> {
  for (const [name, child] of propertiesOf(shape)) {
    const at = path === '' ? name : `${path}.${name}`;
    const isRequired = shape.required?.includes(name) ?? false;
    yield {
      path: at,
      type: typeOf(child),
      defaultValue: defaultOf(child),
      isRequired,
      description: child.description ?? '',
    };
    yield* keysOf(child, at);
    const item = itemOf(child);
    if (item !== undefined) yield* keysOf(item, `${at}[]`);
  }
}

/** Returns the properties of an object schema with their names. */
export function propertiesOf(shape: JsonSchema): readonly (readonly [name: string, child: JsonSchema])[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, child]) =>
    typeof child === 'boolean' ? [] : [[name, child] as const],
  );
}

/** Returns the schema of the entries of a list; undefined for other schemas. */
export function itemOf({ items }: JsonSchema): JsonSchema | undefined {
  return typeof items === 'object' && !Array.isArray(items) ? items : undefined;
}

/**
 * Returns the keys that all mappings in `shape` have, by name; undefined unless `shape` contains only several mappings, and
 * a shared key has the same description in each.
 */
export function sharedKeys(shape: JsonSchema): ReadonlyMap<string, JsonSchema> | undefined {
  const entries = propertiesOf(shape).map(([, entry]) => entry);
  const isShared = entries.length > 1 && entries.every(({ properties }) => properties !== undefined);
  if (!isShared) return undefined;
  // A shared key is in each entry, so also in the first one.
  const [first = [], ...others] = entries.map(propertiesOf);
  const shared = first.filter(([key]) => others.every((other) => other.some(([name]) => name === key)));
  const isSame = ([key, { description }]: (typeof shared)[number]): boolean =>
    others.every((other) => other.some(([name, child]) => name === key && child.description === description));
  return shared.every(isSame) ? new Map(shared) : undefined;
}

/** Returns the keys of one of these mappings that are not shared. */
export function ownKeys(
  entry: JsonSchema,
  shared: ReadonlyMap<string, JsonSchema>,
): readonly (readonly [name: string, child: JsonSchema])[] {
  return propertiesOf(entry).filter(([key]) => !shared.has(key));
}

/** Returns the type of a key in one or two words. */
export function typeOf(shape: JsonSchema): string {
  if (shape.anyOf !== undefined) return shape.anyOf.map(typeOf).join(' or ');
  if (shape.const !== undefined) return `\`${String(shape.const)}\``;
  if (shape.enum !== undefined) return shape.enum.map((word) => `\`${String(word)}\``).join(', ');
  if (shape.title !== undefined) return shape.title;
  const item = itemOf(shape);
  if (item !== undefined) return `list of ${item.type === 'object' ? 'mappings' : typeOf(item)}`;
  return [shape.type].flat().map(typeName).join(' or ');
}

function typeName(type: unknown): string {
  return { string: 'text', object: 'mapping', boolean: '`true`, `false`' }[String(type)] ?? String(type);
}

/** Returns the default of a key as YAML flow text; `''` if there is none. */
export function defaultOf({ default: fallback }: JsonSchema): string {
  if (fallback === undefined || JSON.stringify(fallback) === '{}') return '';
  return `\`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``;
}
