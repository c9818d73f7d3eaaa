import { type JsonSchema, jsonSchemaOf } from '../../src/config/json-schema.ts';
import { configFileSchema } from '../../src/config/load.ts';
import { type ConfigKey, defaultOf, keysOf, ownKeys, propertiesOf, sharedKeys, typeOf } from './config-keys.ts';
import { type GeneratedFile, generatedNotice, table } from './generated-file.ts';

const documentHead = ['key', 'type', 'default', 'meaning'];

const introduction = `# Configuration

${generatedNotice}

The file is YAML. \`graphwarden check-config FILE\` reports all problems at once, each with line, column and a hint. An unknown key
is an error. \`graphwarden init\` writes a minimal file, and [graphwarden.example.yml](../config/graphwarden.example.yml) shows every
key with its default.

- Durations are a number with a unit: \`250ms\`, \`10s\`, \`5m\`, \`1h30m\`, \`7d\`. Sizes likewise: \`512KiB\`, \`64MiB\`, \`2GiB\`.
- A comparison is \`>\`, \`>=\`, \`<\` or \`<=\` with a value, in quotes: \`"> 10m"\`. A lower bound accepts only \`>\` and \`>=\`.
- A pattern is a glob over the whole text (\`*\` any characters, \`?\` any one), or \`re:^…$\`, a regular expression that is matched
  in linear time: no lookaround, no backreferences. Of a list of patterns, one must match.
- Any text may contain \`\${ENV_VAR}\`; a variable that is not set is an error. \`$\${\` stands for \`\${\`.
- A secret comes from a file (\`*_file\`, read again when it changes and after a 401), from the environment, or from the file
  itself. It is never printed, logged or exposed.
- SIGHUP, \`POST /-/reload\` and a change of the file reload the configuration. Parts that did not change keep their state, sockets and
  poll schedule. Changes of \`listen\`, \`web_config_file\`, \`state_dir\`, \`state\`, \`log.format\` and \`telemetry\` take effect after a
  restart; changes in the web config file and in the files that it names need none. A file with another \`scope\` is rejected.
- **A rejected file** leaves the last accepted configuration in force, except that [changes that remove or weaken the guard take
  effect](guard.md#changes-with-a-rejected-file). The log, the status page, \`guard status\` and the alert \`config_rejected\` report
  the rejection, and \`graphwarden_config_last_reload_successful\` is 0. With \`unready_on_rejected_config\`, \`/-/ready\` returns 503.
- **At the start**, a rejected file leaves the last accepted configuration in force as well: the daemon keeps a copy of it in
  \`state_dir\` (\`accepted-config.json\`, mode 0600). The copy contains references to files and variables, but no inline secret: parts
  that need one fail until the file is accepted. \`run --require-config\` exits instead. A sidecar without policies keeps no copy.
- The name in a \`*_file\` is relative to the folder of the configuration file.
- Editors validate the file against [graphwarden.schema.json](../config/graphwarden.schema.json): put
  \`# yaml-language-server: $schema=./graphwarden.schema.json\` at its top.`;

/** Returns the JSON Schema for editors. */
export function schemaFile(): GeneratedFile {
  const { $schema, ...rest } = jsonSchemaOf(configFileSchema());
  const titled = { $schema, title: 'graphwarden configuration', ...rest };
  return { path: 'config/graphwarden.schema.json', text: `${JSON.stringify(titled, null, 2)}\n` };
}

/** Returns the reference: a table of the keys at the top level, and one for each section. */
export function configurationReference(): GeneratedFile {
  const shape = jsonSchemaOf(configFileSchema());
  const keys = [...keysOf(shape)];
  const sections = Object.keys(shape.properties ?? {}).filter((name) => keys.some((key) => isInSection(key, name)));
  const parts = [
    introduction,
    '## Top level',
    table(documentHead, keys.filter(({ path }) => /^\w+$/.test(path)).map(keyRow)),
    ...sections.flatMap((name) => sectionTable(name, shape, keys)),
  ];
  return { path: 'docs/configuration.md', text: `${parts.join('\n\n')}\n` };
}

function sectionTable(name: string, shape: JsonSchema, keys: readonly ConfigKey[]): readonly string[] {
  const child = shape.properties?.[name];
  if (typeof child !== 'object') return [];
  const shared = sharedKeys(child);
  const heading = [`## \`${name}\``, child.description ?? ''];
  if (shared !== undefined) return [...heading, ...sharedKeysTable(name, child, shared)];
  const apart = propertiesOf(child).flatMap(([key, one]) => {
    const sharedThere = sharedKeys(one);
    return sharedThere === undefined ? [] : [{ name: `${name}.${key}`, one, sharedThere }];
  });
  const rows = keys
    .filter((key) => isInSection(key, name) && !apart.some((other) => isInSection(key, other.name)))
    .map(keyRow);
  const others = apart.flatMap((other) => [
    `### \`${other.name}\``,
    other.one.description ?? '',
    ...sharedKeysTable(other.name, other.one, other.sharedThere),
  ]);
  return [...heading, table(documentHead, rows), ...others];
}

/** Returns the table of entries with the same keys: each key once, the defaults of each entry, and the keys of only some. */
function sharedKeysTable(name: string, shape: JsonSchema, shared: ReadonlyMap<string, JsonSchema>): readonly string[] {
  const entries = propertiesOf(shape);
  const hasDefault = (key: string): boolean =>
    entries.some(([, entry]) => defaultOf(new Map(propertiesOf(entry)).get(key) ?? {}) !== '');
  const shown = [...shared.keys()].filter(hasDefault);
  const keyRows = [...shared].map(([key, one]) => [`\`${name}.*.${key}\``, typeOf(one), one.description ?? '']);
  const entryRows = entries.map(([entry, one]) => {
    const own = new Map(propertiesOf(one));
    return [`\`${entry}\``, ...shown.map((key) => defaultOf(own.get(key) ?? {})), one.description ?? ''];
  });
  const ownRows = entries.flatMap(([entry, one]) =>
    ownKeys(one, shared).map(([key, child]) => [
      `\`${name}.${entry}.${key}\``,
      typeOf(child),
      defaultOf(child),
      child.description ?? '',
    ]),
  );
  return [
    table(['key', 'type', 'meaning'], keyRows),
    'Defaults:',
    table([`\`${name}.*\``, ...shown.map((key) => `\`${key}\``), 'description'], entryRows),
    ...(ownRows.length === 0 ? [] : ['Keys of single entries:', table(documentHead, ownRows)]),
  ];
}

function isInSection({ path }: ConfigKey, name: string): boolean {
  return path.startsWith(`${name}.`) || path.startsWith(`${name}[]`);
}

function keyRow({ path, type, defaultValue, isRequired, description }: ConfigKey): readonly string[] {
  return [`\`${path}\``, type, isRequired ? '*required*' : defaultValue, description];
}
