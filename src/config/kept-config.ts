import { z } from 'zod';
import { err, mapResult, type Result } from '../kernel/result.ts';
import { Secret } from '../kernel/secret.ts';
import type { ConfigProblem, KeyPath } from '../model/config-problem.ts';
import type { Config, LoadedConfig } from './config.ts';
import { type Environment, expandEnvironment } from './environment.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { formatPath } from './key-path.ts';
import { configFileSchema, loadConfig } from './load.ts';
import { isMapping } from './tolerant-yaml.ts';
import { readYaml } from './yaml-source.ts';

/** File that an omitted secret refers to; it never exists, so what needs the secret fails and states this path. */
const omittedSecretFile = '/nonexistent/inline-secret-is-not-kept';

const keptSchema = z.object({
  file: z.string(),
  omitted: z.array(z.string()),
  config: z.record(z.string(), z.unknown()),
});

/** Configuration from the copy of an accepted file. */
export interface KeptConfig {
  readonly config: LoadedConfig;
  /** Keys whose inline secrets are not in the copy. */
  readonly omitted: readonly string[];
}

/**
 * Returns a copy of an accepted configuration file as JSON: references to files and variables are kept, inline secrets
 * become references to a file that does not exist.
 */
export function copyConfig(text: string, file: string, accepted: Config): string {
  return `${JSON.stringify({ file, ...omitSecrets(text, file, accepted) }, undefined, 2)}\n`;
}

/** Returns the keys of a file whose values are inline secrets of the accepted configuration. */
export function inlineSecretKeys(text: string, file: string, accepted: Config): readonly string[] {
  return omitSecrets(text, file, accepted).omitted;
}

function omitSecrets(text: string, file: string, accepted: Config) {
  const omitted: string[] = [];
  const texts = inlineSecrets(accepted);
  // Listing the keys takes long, and they are only needed to find a secret.
  const search = { keys: texts.size === 0 ? new Set<string>() : keysWithFile(), texts, omitted };
  const config = copyWithoutSecrets(readYaml(text, file).value, [], search);
  return { omitted, config };
}

/** Loads a copy that {@link copyConfig} made of `file`. */
export function loadKeptConfig(
  copy: string,
  file: string,
  environment: Environment,
): Result<KeptConfig, readonly ConfigProblem[]> {
  const parsed = keptSchema.safeParse(readYaml(copy, file).value);
  if (!parsed.success) return err([problemOf(file, 'the copy is damaged')]);
  const { file: original, omitted, config } = parsed.data;
  if (original !== file)
    return err([
      problemOf(file, 'the copy belongs to another configuration file; start with the same path of the file as before'),
    ]);
  return mapResult(loadConfig(JSON.stringify(config), file, environment), (loaded) => ({ config: loaded, omitted }));
}

function problemOf(file: string, message: string): ConfigProblem {
  return { file, line: 1, column: 1, path: '', message };
}

function keysWithFile(): ReadonlySet<string> {
  const names = JSON.stringify(jsonSchemaOf(configFileSchema())).matchAll(/"(\w+)_file":/g);
  return new Set(Array.from(names, ([, name = '']) => name));
}

interface SecretSearch {
  /** Keys that may be given as a file as well. */
  readonly keys: ReadonlySet<string>;
  /** Inline secrets of the configuration. */
  readonly texts: ReadonlySet<string>;
  /** Paths of the omitted secrets, in the order of the file. */
  readonly omitted: string[];
}

function copyWithoutSecrets(value: unknown, path: KeyPath, search: SecretSearch): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, at) => copyWithoutSecrets(item, [...path, at], search));
  if (!isMapping(value)) return value;
  const entries = Object.entries(value).flatMap(([key, item]): readonly (readonly [string, unknown])[] => {
    const at = [...path, key];
    if (key === 'secrets' && Array.isArray(item)) return headerFiles(value, at, search);
    if (key === 'files' && Array.isArray(value.secrets)) return [];
    if (!search.keys.has(key) || !isInlineSecret(item, search)) return [[key, copyWithoutSecrets(item, at, search)]];
    search.omitted.push(formatPath(at));
    return [[`${key}_file`, omittedSecretFile]];
  });
  return Object.fromEntries(entries);
}

/** The inline values of a header, which are files in the copy; references to variables stay. */
function headerFiles(
  { secrets, files }: Readonly<Record<string, unknown>>,
  path: KeyPath,
  search: SecretSearch,
): readonly (readonly [string, unknown])[] {
  const all: readonly unknown[] = Array.isArray(secrets) ? secrets : [];
  const inline = all.filter((item) => isInlineSecret(item, search));
  if (inline.length > 0) search.omitted.push(formatPath(path));
  const given: readonly unknown[] = Array.isArray(files) ? files : [];
  return [
    ['secrets', all.filter((item) => !inline.includes(item))],
    ['files', [...given, ...inline.map(() => omittedSecretFile)]],
  ];
}

/** Whether a value is a secret that refers to no variable. */
function isInlineSecret(value: unknown, { texts }: SecretSearch): boolean {
  if (typeof value !== 'string') return false;
  const { text, errors } = expandEnvironment(value, {});
  return errors.length === 0 && (texts.has(text) || texts.has(normalizedUrl(text)));
}

/** Normalizes a secret URL as `urlField` does, so that it can be compared. */
function normalizedUrl(text: string): string {
  const url = URL.parse(text);
  return url === null ? text : url.origin + url.pathname.replace(/\/+$/, '');
}

function inlineSecrets(config: unknown): ReadonlySet<string> {
  if (config instanceof Secret) return new Set([config.reveal()]);
  if (typeof config !== 'object' || config === null) return new Set();
  return new Set(Object.values(config).flatMap((part: unknown) => [...inlineSecrets(part)]));
}
