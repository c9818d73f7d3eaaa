import { stringify } from 'yaml';
import { schema } from '../src/config/load.ts';
import { type Shape, shapeOf } from '../src/config/shape.ts';
import { type GeneratedFile, origin } from './document.ts';
import { itemOf, propertiesOf } from './keys.ts';

const heading = `# Every key of the configuration with its default, or with an example where it has none (then in a comment).
# ${origin}
# yaml-language-server: $schema=./graphwarden.schema.json
`;

/** The commented example: it loads as it stands. */
export function exampleFile(): GeneratedFile {
  return { path: 'config/graphwarden.example.yml', text: `${heading}${mapping(shapeOf(schema)).join('\n')}\n` };
}

const textColumn = 44;

function mapping(shape: Shape, depth = 0): readonly string[] {
  return propertiesOf(shape).flatMap(([name, child]) => {
    const isActive = child.default !== undefined || shape.required?.includes(name) === true || isListOfMappings(child);
    const lines = entry(name, child, depth);
    return [
      ...(depth === 0 ? [''] : []),
      ...(isActive ? lines : lines.map((line, at) => (at === 0 && line.startsWith('#') ? line : `# ${line}`))),
    ];
  });
}

function entry(name: string, shape: Shape, depth: number): readonly string[] {
  const item = itemOf(shape);
  const about = shape.description ?? '';
  if (isListOfMappings(shape) && item !== undefined)
    return [`# ${about}`, `${name}:`, ...listItem(mapping(item, depth + 1))];
  if (shape.properties !== undefined)
    return [`# ${about}`, `${name}:`, ...mapping(shape, depth + 1).map((line) => `  ${line}`)];
  const value = shape.default ?? shape.examples?.[0] ?? name;
  const flow = stringify({ [name]: value }, { collectionStyle: 'flow', lineWidth: 0 });
  return [`${flow.trim().slice(1, -1).trim().padEnd(textColumn)}# ${about}`];
}

function isListOfMappings(shape: Shape): boolean {
  return itemOf(shape)?.properties !== undefined;
}

/** Puts the dash before the first key of the entry. */
function listItem(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !line.startsWith('#'));
  return lines.map((line, at) => (at === first ? `  - ${line}` : `    ${line}`));
}
