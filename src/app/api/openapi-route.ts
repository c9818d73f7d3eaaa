import { type JsonSchema, problemSchema, type Schema, toJsonSchema } from '../../api/fields.ts';
import type { Parameter } from './query-parameters.ts';
import { jsonReply } from './reply.ts';
import type { Route } from './routes.ts';

/** Returns the route of the OpenAPI document, which is generated from `routes`. */
export function openApiRoute(routes: () => readonly Route[], about: { version: string; server: () => string }): Route {
  return {
    method: 'GET',
    path: '/api/v1/openapi.json',
    about: 'Returns the OpenAPI document of the API.',
    response: { type: 'application/json' },
    handle: async () => jsonReply(openApiDocument(routes(), { version: about.version, server: about.server() })),
  };
}

/** Returns the OpenAPI 3.1 document of `routes`. */
export function openApiDocument(routes: readonly Route[], about: { version: string; server: string }): JsonSchema {
  const components = new Components();
  components.add(problemSchema);
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const method = route.method.toLowerCase();
    paths[route.path] = { ...paths[route.path], [method]: operation(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'graphwarden',
      description: 'State of the monitored clusters, and operator actions.',
      version: about.version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.server === '' ? '/' : about.server }],
    paths,
    components: { schemas: components.schemas },
  };
}

/** Schemas that the document declares once, by the id of their object. */
class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  /** Declares the objects of `schema` and returns the rest, which references them. */
  add(schema: Schema): JsonSchema {
    const text = JSON.stringify(toJsonSchema(schema)).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { $defs = {}, ...rest } = toObject(JSON.parse(text));
    for (const [name, one] of Object.entries(toObject($defs))) {
      const { id: _, ...definition } = toObject(one);
      this.schemas[name] = definition;
    }
    return rest;
  }
}

function operation(route: Route, components: Components): JsonSchema {
  const { method, path, about, parameters = [], request, response, errorResponses = {} } = route;
  const failures = Object.entries(errorResponses).map(
    ([status, description]) => [status, errorResponse(description)] as const,
  );
  const segments = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => pathParameter(name));
  const given = [...segments, ...parameters.map(queryParameter)];
  return {
    operationId: [method.toLowerCase(), ...path.split(/[^a-z0-9]+/i).filter(Boolean)].join('_'),
    summary: about,
    ...(given.length === 0 ? {} : { parameters: given }),
    ...(request === undefined
      ? {}
      : { requestBody: { required: true, content: jsonContent(components.add(request)) } }),
    responses: {
      200: { description: 'Success.', content: responseContent(response, components) },
      ...Object.fromEntries(failures),
    },
  };
}

function responseContent({ type, schema, events = {} }: Route['response'], components: Components): JsonSchema {
  if (type === 'application/json')
    return jsonContent(schema === undefined ? { type: 'object' } : components.add(schema));
  const sent = Object.entries(events).map(([name, one]) => [name, components.add(one)] as const);
  return {
    [type]: { schema: { type: 'string' }, ...(sent.length === 0 ? {} : { 'x-events': Object.fromEntries(sent) }) },
  };
}

function jsonContent(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}

function queryParameter({ name, about: description, schema, required = false }: Parameter): JsonSchema {
  return { name, in: 'query', description, required, schema };
}

function pathParameter(name: string): JsonSchema {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function errorResponse(description: string): JsonSchema {
  const schema = { $ref: '#/components/schemas/Problem' };
  return { description, content: { 'application/problem+json': { schema } } };
}

function toObject(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
