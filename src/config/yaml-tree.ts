import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import { type Environment, expandEnvironment } from './environment.ts';

/** Offsets of a value and its key in the text. */
export interface SourcePosition {
  readonly key?: number;
  readonly value: number;
}

/** YAML document as plain data with the position of each value. */
export interface YamlTree {
  readonly value: unknown;
  readonly positions: ReadonlyMap<string, SourcePosition>;
  readonly findings: readonly UnlocatedProblem[];
  /** Offsets of keys that their mapping has already. */
  readonly duplicates: readonly number[];
  /** How the document exceeds a limit; then the value is incomplete. */
  readonly excess: TreeExcess | undefined;
}

/** Limit that a document exceeds, and where. */
export interface TreeExcess {
  readonly path: KeyPath;
  readonly offset: number;
  readonly message: string;
}

/** Maximum number of values, also after aliases are resolved. */
const maxNodes = 20_000;
/** Maximum number of entries of one list or mapping: checks compare each entry with all others. */
const maxEntries = 1000;
const maxDepth = 64;
const coreTags = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((tag) => `tag:yaml.org,2002:${tag}`),
);
/** Keys with a special meaning in JavaScript objects. */
const prototypeKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Key with which other YAML readers insert the keys of an anchor. */
const mergeKey = '<<';

/** Returns the map key of a path. */
export function pathKey(path: KeyPath): string {
  return JSON.stringify(path);
}

/**
 * Converts a document to plain data: bounded, without tags and prototype keys, with references to `environment`
 * replaced in strings. Without an environment, strings are unchanged.
 */
export function buildTree(document: Document, environment: Environment | undefined): YamlTree {
  const builder = new TreeBuilder(document, environment);
  const value = builder.convertAt(document.contents, [], []);
  const { positions, findings, excess } = builder;
  return { value, positions, findings, duplicates: [...builder.duplicates], excess };
}

/** Builder of a {@link YamlTree}. */
class TreeBuilder {
  readonly positions = new Map<string, SourcePosition>();
  readonly findings: UnlocatedProblem[] = [];
  readonly duplicates = new Set<number>();
  #nodeCount = 0;
  /** Nodes that aliases refer to; undefined before the first alias. */
  #targets: ReadonlyMap<Alias, Node | undefined> | undefined;
  /** First list or mapping with too many entries. */
  #longest: TreeExcess | undefined;
  readonly #document: Document;
  readonly #environment: Environment | undefined;

  constructor(document: Document, environment: Environment | undefined) {
    this.#document = document;
    this.#environment = environment;
  }

  get excess(): TreeExcess | undefined {
    if (this.#nodeCount <= maxNodes) return this.#longest;
    const message = `must not have more than ${maxNodes} values${this.#targets !== undefined ? ' after its aliases are resolved' : ''}`;
    return { path: [], offset: 0, message };
  }

  /** Records the position of `node` and returns its value. `ancestors` are the nodes that contain it. */
  convertAt(node: unknown, path: KeyPath, ancestors: readonly unknown[], key?: number): unknown {
    const value = offsetOf(node) ?? key ?? 0;
    this.positions.set(pathKey(path), key === undefined ? { value } : { key, value });
    return this.#convert(node, path, ancestors);
  }

  #convert(node: unknown, path: KeyPath, ancestors: readonly unknown[]): unknown {
    this.#nodeCount += 1;
    if (this.#nodeCount > maxNodes) return undefined;
    if (ancestors.length > maxDepth) return this.#addFinding(path, 'is nested too deeply');
    if (isAlias(node)) return this.#resolveAlias(this.#targetOf(node), path, ancestors);
    if (hasUnsupportedTag(node)) return this.#addFinding(path, 'must not have a tag; remove it');
    if ((isMap(node) || isSeq(node)) && node.items.length > maxEntries) return this.#addExcess(node, path);
    const within = [...ancestors, node];
    if (isMap(node)) return this.#convertMap(node, path, within);
    if (isSeq(node)) return node.items.map((item, at) => this.convertAt(item, [...path, at], within));
    return isScalar(node) ? this.#convertScalar(node, path) : null;
  }

  #convertMap(map: YAMLMap, path: KeyPath, ancestors: readonly unknown[]): unknown {
    const entries: (readonly [string, unknown])[] = [];
    const known = new Set<string>();
    for (const pair of map.items) {
      const key = this.#keyOf(pair, path);
      if (key === undefined) continue;
      // Detected here, because the library would compare each key with all others.
      if (known.has(key)) this.duplicates.add(offsetOf(pair.key) ?? 0);
      known.add(key);
      entries.push([key, this.convertAt(pair.value, [...path, key], ancestors, offsetOf(pair.key))]);
    }
    return Object.fromEntries(entries);
  }

  #keyOf({ key }: Pair, path: KeyPath): string | undefined {
    const text = isScalar(key) && typeof key.value === 'string' ? key.value : undefined;
    if (text !== undefined && text !== mergeKey && !prototypeKeys.has(text)) return text;
    // The key can be anything, so its position is kept under a path that no real key has.
    const at = [...path, -1 - this.findings.length];
    this.positions.set(pathKey(at), { value: offsetOf(key) ?? 0 });
    return this.#addFinding(at, refusedKeyMessage(text));
  }

  #convertScalar({ value }: Scalar, path: KeyPath): unknown {
    if (typeof value !== 'string' || this.#environment === undefined) return value;
    const { text, errors } = expandEnvironment(value, this.#environment);
    for (const message of errors) this.#addFinding(path, message);
    return text;
  }

  #targetOf(alias: Alias): Node | undefined {
    this.#targets ??= aliasTargets(this.#document);
    return this.#targets.get(alias);
  }

  #resolveAlias(target: Node | undefined, path: KeyPath, ancestors: readonly unknown[]): unknown {
    if (target === undefined)
      return this.#addFinding(path, 'refers to an unknown anchor; define the anchor before the alias');
    return ancestors.includes(target)
      ? this.#addFinding(path, 'must not contain itself')
      : this.#convert(target, path, ancestors);
  }

  #addExcess(node: YAMLMap | YAMLSeq, path: KeyPath): undefined {
    this.#longest ??= { path, offset: offsetOf(node) ?? 0, message: `must not have more than ${maxEntries} entries` };
  }

  #addFinding(path: KeyPath, message: string): undefined {
    this.findings.push({ path, message });
  }
}

function refusedKeyMessage(key: string | undefined): string {
  if (key === undefined) return 'has a key that is not a string; write it in quotes';
  return key === mergeKey
    ? 'has a merge key (<<), which is not supported; repeat the keys'
    : 'has a reserved key; remove it';
}

/** Returns the nodes that the aliases of a document refer to: for each alias, the library would visit the whole document. */
function aliasTargets(document: Document): ReadonlyMap<Alias, Node | undefined> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node | undefined>();
  visit(document, {
    Alias: (_, alias) => void targets.set(alias, anchors.get(alias.source)),
    Value: (_, node) => void (node.anchor !== undefined && anchors.set(node.anchor, node)),
  });
  return targets;
}

function hasUnsupportedTag(node: unknown): boolean {
  const tag = isMap(node) || isSeq(node) || isScalar(node) ? node.tag : undefined;
  return tag !== undefined && !coreTags.has(tag);
}

function offsetOf(node: unknown): number | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range?.[0] : undefined;
}
