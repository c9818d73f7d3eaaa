import type { JsonSchema } from '../../src/config/json-schema.ts';

/** One key of the configuration, as a row of the reference. */
export interface ConfigKey {
  /** `clusters[].nodes[].url` */
  readonly path: string;
  readonly type: string;
  /** As YAML flow text; `''` where there is none. */
  readonly defaultValue: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** Every key below `shape`, in the order of the schema. */
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

/** The named children of an object's shape. */
export function propertiesOf(shape: JsonSchema): readonly (readonly [name: string, child: JsonSchema])[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, child]) =>
    typeof child === 'boolean' ? [] : [[name, child] as const],
  );
}

/** The shape of a list's entries. */
export function itemOf({ items }: JsonSchema): JsonSchema | undefined {
  return typeof items === 'object' && !Array.isArray(items) ? items : undefined;
}

/**
 * The keys that all mappings in `shape` take, by name; undefined where it holds anything but several mappings, or where a
 * key has another meaning in each.
 */
export function sharedKeys(shape: JsonSchema): ReadonlyMap<string, JsonSchema> | undefined {
  const entries = propertiesOf(shape).map(([, entry]) => entry);
  const isShared = entries.length > 1 && entries.every(({ properties }) => properties !== undefined);
  if (!isShared) return undefined;
  // The first entry stands for all of them.
  const [first = [], ...others] = entries.map(propertiesOf);
  const shared = first.filter(([key]) => others.every((other) => other.some(([name]) => name === key)));
  const isSame = ([key, { description }]: (typeof shared)[number]): boolean =>
    others.every((other) => other.some(([name, child]) => name === key && child.description === description));
  return shared.every(isSame) ? new Map(shared) : undefined;
}

/** The keys of one of those mappings that not all of them take. */
export function ownKeys(
  entry: JsonSchema,
  shared: ReadonlyMap<string, JsonSchema>,
): readonly (readonly [name: string, child: JsonSchema])[] {
  return propertiesOf(entry).filter(([key]) => !shared.has(key));
}

/** The type of a key, in a word or two. */
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

/** The default of a key as YAML flow text; `''` where there is none. */
export function defaultOf({ default: fallback }: JsonSchema): string {
  if (fallback === undefined || JSON.stringify(fallback) === '{}') return '';
  return `\`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``;
}
