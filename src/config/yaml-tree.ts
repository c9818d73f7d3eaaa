import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Finding, KeyPath } from '../model/problem.ts';
import { type Environment, expand } from './environment.ts';

/** Where a value and its key begin, as offsets into the text. */
export interface Place {
  readonly key?: number;
  readonly value: number;
}

/** A YAML document as plain data, with the place of each value. */
export interface Tree {
  readonly value: unknown;
  readonly places: ReadonlyMap<string, Place>;
  readonly findings: readonly Finding[];
  /** Growing was given up: the value is a fragment. */
  readonly isTooLarge: boolean;
}

/** More values than any configuration has: what stops aliases of aliases of aliases. */
const mostNodes = 50_000;
const deepest = 64;
const coreTags = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((tag) => `tag:yaml.org,2002:${tag}`),
);
/** Keys that an object of this language takes for something else. */
const prototypeKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** One name for each path, to find its place by. */
export function placeName(path: KeyPath): string {
  return JSON.stringify(path);
}

/**
 * Turns a document into plain data: bounded, without tags and prototype keys, with references to `environment`
 * replaced in strings. Without an environment, text stays as it is.
 */
export function plantTree(document: Document, environment: Environment | undefined): Tree {
  const sapling = new Sapling(document, environment);
  const value = sapling.growAt(document.contents, [], []);
  return { value, places: sapling.places, findings: sapling.findings, isTooLarge: sapling.nodes > mostNodes };
}

/** A tree while it grows. */
class Sapling {
  readonly places = new Map<string, Place>();
  readonly findings: Finding[] = [];
  nodes = 0;
  readonly #document: Document;
  readonly #environment: Environment | undefined;

  constructor(document: Document, environment: Environment | undefined) {
    this.#document = document;
    this.#environment = environment;
  }

  /** Notes where `node` stands and gives its value. `ancestors` are the nodes that it is inside of. */
  growAt(node: unknown, path: KeyPath, ancestors: readonly unknown[], key?: number): unknown {
    const value = offsetOf(node) ?? key ?? 0;
    this.places.set(placeName(path), key === undefined ? { value } : { key, value });
    return this.#grow(node, path, ancestors);
  }

  #grow(node: unknown, path: KeyPath, ancestors: readonly unknown[]): unknown {
    this.nodes += 1;
    if (this.nodes > mostNodes) return undefined;
    if (ancestors.length > deepest) return this.#refuse(path, 'is too deeply nested');
    if (isAlias(node)) return this.#follow(node.resolve(this.#document), path, ancestors);
    if (hasForeignTag(node)) return this.#refuse(path, 'has a tag: tags are not supported');
    const within = [...ancestors, node];
    if (isMap(node)) return this.#growMap(node, path, within);
    if (isSeq(node)) return node.items.map((item, at) => this.growAt(item, [...path, at], within));
    return isScalar(node) ? this.#growScalar(node, path) : null;
  }

  #growMap(map: YAMLMap, path: KeyPath, ancestors: readonly unknown[]): unknown {
    const entries: (readonly [string, unknown])[] = [];
    for (const pair of map.items) {
      const key = this.#keyOf(pair, path);
      if (key === undefined) continue;
      entries.push([key, this.growAt(pair.value, [...path, key], ancestors, offsetOf(pair.key))]);
    }
    return Object.fromEntries(entries);
  }

  #keyOf({ key }: Pair, path: KeyPath): string | undefined {
    const text = isScalar(key) && typeof key.value === 'string' ? key.value : undefined;
    if (text !== undefined && !prototypeKeys.has(text)) return text;
    // The key itself may be anything, so its place is kept under a name that no real key can have.
    const at = [...path, -1 - this.findings.length];
    this.places.set(placeName(at), { value: offsetOf(key) ?? 0 });
    this.#refuse(
      at,
      text === undefined ? 'has a key that is not text: put it in quotes' : 'has a key that is not allowed',
    );
    return undefined;
  }

  #growScalar({ value }: Scalar, path: KeyPath): unknown {
    if (typeof value !== 'string' || this.#environment === undefined) return value;
    const { text, complaints } = expand(value, this.#environment);
    for (const complaint of complaints) this.#refuse(path, complaint);
    return text;
  }

  #follow(target: Node | undefined, path: KeyPath, ancestors: readonly unknown[]): unknown {
    if (target === undefined) return this.#refuse(path, 'refers to an anchor that does not exist');
    return ancestors.includes(target) ? this.#refuse(path, 'contains itself') : this.#grow(target, path, ancestors);
  }

  #refuse(path: KeyPath, message: string): undefined {
    this.findings.push({ path, message });
  }
}

function hasForeignTag(node: unknown): boolean {
  const tag = isMap(node) || isSeq(node) || isScalar(node) ? node.tag : undefined;
  return tag !== undefined && !coreTags.has(tag);
}

function offsetOf(node: unknown): number | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range?.[0] : undefined;
}
