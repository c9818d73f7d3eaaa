import { rules } from '../../src/alert/rules/all.ts';
import { allRoutes } from '../../src/app/api/all-routes.ts';
import { EventBroker } from '../../src/app/api/event-stream.ts';
import { openApiDocument } from '../../src/app/api/openapi-route.ts';
import type { Route } from '../../src/app/api/routes.ts';
import { collectors } from '../../src/collect/all.ts';
import { createRouteDependencies } from '../../test/app/fake-route-dependencies.ts';
import { configOf } from '../../test/app/fakes.ts';
import { type GeneratedFile, generatedNotice, table } from './generated-file.ts';

type Members = Readonly<Record<string, unknown>>;

const introduction = `# HTTP API

${generatedNotice}

The daemon serves this API and its OpenAPI 3.1 document at \`/api/v1/openapi.json\`. Paths are below the route prefix, which is the
path of \`external_url\`.

- Lists take \`limit\` (1 to 1000, default 100) and \`offset\`, and return \`items\`, \`total\`, \`limit\` and \`offset\`. A filter compares a
  field with a value; an unknown parameter is an error.
- Errors are \`application/problem+json\` (RFC 9457).
- Operator actions (POST and DELETE) require a user from \`operators\`, or the socket in the state directory; otherwise the status is 403.
- Every route except \`/-/healthy\` and \`/-/ready\` may also return 401 (a user is required), 403 (the user may not read) and 421 (the host name in
  \`Host\` is not in \`web.allowed_hosts\`). For requests with a password, they may also return 429: too many passwords wait for verification.
- Times are RFC 3339 in UTC. Fields may be added; ignore fields that you do not know.`;

/** Returns the API reference: a table of the routes and one of each object. */
export async function apiReference(): Promise<GeneratedFile> {
  const routes = await documentedRoutes();
  const parts = [
    introduction,
    '## Routes',
    table(['route', 'description', 'parameters', 'errors'], routes.map(routeRow)),
    '## Objects',
    ...objectSchemas(routes)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([name, schema]) => objectPart(name, schema)),
  ];
  return { path: 'docs/api.md', text: `${parts.join('\n\n')}\n` };
}

/** Returns the schema of each object of the API by its name. */
export async function apiObjects(): Promise<Readonly<Record<string, Members>>> {
  return Object.fromEntries(objectSchemas(await documentedRoutes()));
}

function objectSchemas(routes: readonly Route[]): readonly (readonly [string, Members])[] {
  const { components } = openApiDocument(routes, { version: '', server: '' });
  return Object.entries(membersOf(membersOf(components).schemas)).map(([name, schema]) => [name, membersOf(schema)]);
}

/** Routes of a daemon without clusters: only their declarations are read. */
async function documentedRoutes(): Promise<readonly Route[]> {
  const { parts, ...dependencies } = await createRouteDependencies(configOf([]));
  const real = { ...dependencies, parts: { ...parts, rules, collectors } };
  return allRoutes(real, new EventBroker(dependencies.ports.clock), () => '');
}

function routeRow({ method, path, about, parameters = [], errorResponses = {} }: Route): readonly string[] {
  const names = parameters.map(({ name, required = false }) => `\`${name}\`${required ? ' (required)' : ''}`);
  return [`\`${method} ${path}\``, about, names.join(', '), Object.keys(errorResponses).join(', ')];
}

function objectPart(name: string, schema: Members): readonly string[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const rows = Object.entries(membersOf(schema.properties)).map(([field, one]) => {
    const { description = '' } = membersOf(one);
    return [
      `\`${field}\`${required.includes(field) ? '' : ' (optional)'}`,
      typeText(membersOf(one)),
      String(description),
    ];
  });
  const [example] = Array.isArray(schema.examples) ? schema.examples : [];
  return [
    `### ${name}`,
    typeof schema.description === 'string' ? schema.description : '',
    table(['field', 'type', 'meaning'], rows),
    ...(example === undefined ? [] : [`\`\`\`json\n${JSON.stringify(example, undefined, 2)}\n\`\`\``]),
  ];
}

function typeText(schema: Members): string {
  if (typeof schema.$ref === 'string')
    return `[${schema.$ref.split('/').at(-1)}](#${schema.$ref.split('/').at(-1)?.toLowerCase()})`;
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => (value === '' ? 'empty' : `\`${value}\``)).join(', ');
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => typeText(membersOf(one))).join(', ');
  if (schema.type === 'array') return `list of ${typeText(membersOf(schema.items))}`;
  if (schema.format === 'date-time') return 'timestamp';
  return typeof schema.type === 'string' ? schema.type : 'any';
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
