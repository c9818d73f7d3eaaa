import type { Shape } from '../src/config/shape.ts';

/** One key of the configuration, as a row of the reference. */
export interface Key {
  /** `clusters[].nodes[].url` */
  readonly path: string;
  readonly type: string;
  /** As YAML flow text; `''` where there is none. */
  readonly fallback: string;
  readonly isRequired: boolean;
  readonly about: string;
}

/** Every key below `shape`, in the order of the schema. */
export function* keysOf(shape: Shape, path = ''): Generator<Key> {
  for (const [name, child] of propertiesOf(shape)) {
    const at = path === '' ? name : `${path}.${name}`;
    const isRequired = shape.required?.includes(name) ?? false;
    yield { path: at, type: typeOf(child), fallback: fallbackOf(child), isRequired, about: child.description ?? '' };
    yield* keysOf(child, at);
    const item = itemOf(child);
    if (item !== undefined) yield* keysOf(item, `${at}[]`);
  }
}

/** The named children of an object's shape. */
export function propertiesOf(shape: Shape): readonly (readonly [name: string, child: Shape])[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, child]) =>
    typeof child === 'boolean' ? [] : [[name, child] as const],
  );
}

/** The shape of a list's entries. */
export function itemOf({ items }: Shape): Shape | undefined {
  return typeof items === 'object' && !Array.isArray(items) ? items : undefined;
}

/** The keys that all mappings in `shape` take, by name; undefined where it holds anything but several mappings. */
export function sharedKeys(shape: Shape): ReadonlyMap<string, Shape> | undefined {
  const entries = propertiesOf(shape).map(([, entry]) => entry);
  const isShared = entries.length > 1 && entries.every(({ properties }) => properties !== undefined);
  if (!isShared) return undefined;
  // The first entry stands for all of them.
  const [first = [], ...others] = entries.map(propertiesOf);
  return new Map(first.filter(([key]) => others.every((other) => other.some(([name]) => name === key))));
}

/** The keys of one of those mappings that not all of them take. */
export function ownKeys(
  entry: Shape,
  shared: ReadonlyMap<string, Shape>,
): readonly (readonly [name: string, child: Shape])[] {
  return propertiesOf(entry).filter(([key]) => !shared.has(key));
}

/** The type of a key, in a word or two. */
export function typeOf(shape: Shape): string {
  if (shape.anyOf !== undefined) return shape.anyOf.map(typeOf).join(' or ');
  if (shape.const !== undefined) return `\`${String(shape.const)}\``;
  if (shape.enum !== undefined) return shape.enum.map((word) => `\`${String(word)}\``).join(', ');
  if (shape.title !== undefined) return shape.title;
  const item = itemOf(shape);
  if (item !== undefined) return `list of ${item.type === 'object' ? 'mappings' : typeOf(item)}`;
  return { string: 'text', object: 'mapping', boolean: '`true`, `false`' }[String(shape.type)] ?? String(shape.type);
}

/** The default of a key as YAML flow text; `''` where there is none. */
export function fallbackOf({ default: fallback }: Shape): string {
  if (fallback === undefined || JSON.stringify(fallback) === '{}') return '';
  return `\`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``;
}
