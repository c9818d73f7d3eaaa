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
  const places = new Map<string, Place>();
  const findings: Finding[] = [];
  let nodes = 0;

  function grow(node: unknown, path: KeyPath, ancestors: readonly unknown[]): unknown {
    nodes += 1;
    if (nodes > mostNodes) return undefined;
    if (ancestors.length > deepest) return refuse(path, 'is too deeply nested');
    if (isAlias(node)) return follow(node.resolve(document), path, ancestors);
    if (hasForeignTag(node)) return refuse(path, 'has a tag: tags are not supported');
    const within = [...ancestors, node];
    if (isMap(node)) return growMap(node, path, within);
    if (isSeq(node)) return node.items.map((item, at) => growAt(item, [...path, at], within));
    return isScalar(node) ? growScalar(node, path) : null;
  }

  function growAt(node: unknown, path: KeyPath, ancestors: readonly unknown[], key?: number): unknown {
    const value = offsetOf(node) ?? key ?? 0;
    places.set(placeName(path), key === undefined ? { value } : { key, value });
    return grow(node, path, ancestors);
  }

  function growMap(map: YAMLMap, path: KeyPath, ancestors: readonly unknown[]): unknown {
    const entries: (readonly [string, unknown])[] = [];
    for (const pair of map.items) {
      const key = keyOf(pair, path);
      if (key !== undefined) entries.push([key, growAt(pair.value, [...path, key], ancestors, offsetOf(pair.key))]);
    }
    return Object.fromEntries(entries);
  }

  function keyOf({ key }: Pair, path: KeyPath): string | undefined {
    const text = isScalar(key) && typeof key.value === 'string' ? key.value : undefined;
    if (text !== undefined && !prototypeKeys.has(text)) return text;
    // The key itself may be anything, so its place is kept under a name that no real key can have.
    const at = [...path, -1 - findings.length];
    places.set(placeName(at), { value: offsetOf(key) ?? 0 });
    const message =
      text === undefined ? 'has a key that is not text: put it in quotes' : 'has a key that is not allowed';
    findings.push({ path: at, message });
    return undefined;
  }

  function growScalar(scalar: Scalar, path: KeyPath): unknown {
    if (typeof scalar.value !== 'string' || environment === undefined) return scalar.value;
    const { text, complaints } = expand(scalar.value, environment);
    findings.push(...complaints.map((message) => ({ path, message })));
    return text;
  }

  function follow(target: Node | undefined, path: KeyPath, ancestors: readonly unknown[]): unknown {
    if (target === undefined) return refuse(path, 'refers to an anchor that does not exist');
    return ancestors.includes(target) ? refuse(path, 'contains itself') : grow(target, path, ancestors);
  }

  function refuse(path: KeyPath, message: string): undefined {
    findings.push({ path, message });
  }

  const value = growAt(document.contents, [], []);
  return { value, places, findings, isTooLarge: nodes > mostNodes };
}

function hasForeignTag(node: unknown): boolean {
  const tag = isMap(node) || isSeq(node) || isScalar(node) ? node.tag : undefined;
  return tag !== undefined && !coreTags.has(tag);
}

function offsetOf(node: unknown): number | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range?.[0] : undefined;
}
