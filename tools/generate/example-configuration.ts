import { stringify } from 'yaml';
import { type JsonSchema, jsonSchemaOf } from '../../src/config/json-schema.ts';
import { configFileSchema } from '../../src/config/load.ts';
import { itemOf, ownKeys, propertiesOf, sharedKeys } from './config-keys.ts';
import { type GeneratedFile, generatedNotice } from './generated-file.ts';

const heading = `# Every key of the configuration with its default, or with an example where it has none (then in a comment).
# ${generatedNotice}
# yaml-language-server: $schema=./graphwarden.schema.json
`;

/** Returns the commented example, which is a valid configuration. */
export function exampleFile(): GeneratedFile {
  return {
    path: 'config/graphwarden.example.yml',
    text: `${heading}${mapping(jsonSchemaOf(configFileSchema())).join('\n')}\n`,
  };
}

/** Column at which comments begin, if the line before them is short enough. */
const commentColumn = 50;

function mapping(shape: JsonSchema, indent = 0): readonly string[] {
  return propertiesOf(shape).flatMap(([name, child]) => {
    const lines = isActive(name, child, shape)
      ? entry(name, child, indent)
      : entry(name, child, indent + 2).map(commentedLine);
    return [...(indent === 0 ? [''] : []), ...lines];
  });
}

/** Whether a key is not commented out, because it is required or has a default that can be written. */
function isActive(name: string, child: JsonSchema, shape: JsonSchema): boolean {
  if (isListOfMappings(child)) return child.default === undefined;
  if (shape.required?.includes(name) === true) return true;
  const below = propertiesOf(child);
  return child.default !== undefined && (below.length === 0 || below.some(([key, one]) => isActive(key, one, child)));
}

function commentedLine(line: string, at: number): string {
  return at === 0 && line.startsWith('#') ? line : `# ${line}`;
}

function entry(name: string, shape: JsonSchema, indent: number): readonly string[] {
  const item = itemOf(shape);
  const shared = sharedKeys(shape);
  const head = [`# ${shape.description ?? ''}`, `${name}:`];
  if (isListOfMappings(shape) && item !== undefined) return [...head, ...listItem(mapping(item, indent + 4))];
  if (shared !== undefined) return [...head, ...sharedKeyLines(shape, shared, indent + 2).map((line) => `  ${line}`)];
  if (shape.properties !== undefined) return [...head, ...mapping(shape, indent + 2).map((line) => `  ${line}`)];
  return [
    withComment(
      flowYaml({ [name]: shape.default ?? shape.examples?.[0] ?? name })
        .slice(1, -1)
        .trim(),
      shape,
      indent,
    ),
  ];
}

/** Returns the lines of entries with the same keys: the meaning of each key, then one line for each entry with its defaults. */
function sharedKeyLines(shape: JsonSchema, shared: ReadonlyMap<string, JsonSchema>, indent: number): readonly string[] {
  const keys = [...shared].flatMap(([name, child]) => descriptionLines(name, child, indent));
  const entries = propertiesOf(shape).map(([name, child]) => {
    const defaults = propertiesOf(child).flatMap(([key, { default: value }]) =>
      value === undefined ? [] : [[key, value]],
    );
    const own = ownKeys(child, shared).flatMap(([key, one]) => descriptionLines(key, one, indent));
    return [`# ${child.description ?? ''}`, ...own, `${name}: ${flowYaml(Object.fromEntries(defaults))}`];
  });
  return ['# Keys of each entry:', ...keys, ...entries.flat()];
}

function descriptionLines(name: string, shape: JsonSchema, indent: number): readonly string[] {
  return entry(name, shape, indent + 4).map((line) => `#   ${line}`);
}

function withComment(text: string, { description = '' }: JsonSchema, indent: number): string {
  return `${text.padEnd(commentColumn - indent - 2)}  # ${description}`;
}

function flowYaml(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
}

function isListOfMappings(shape: JsonSchema): boolean {
  return itemOf(shape)?.properties !== undefined;
}

/** Adds the dash of a list entry before its first key. If all keys are optional, the first one is uncommented. */
function listItem(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !line.startsWith('#'));
  if (first < 0) return lines.map((line, at) => (at === 0 ? `  - ${line.replace('# ', '')}` : `    ${line}`));
  return lines.map((line, at) => (at === first ? `  - ${line}` : `    ${line}`));
}
