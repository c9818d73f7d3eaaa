import type { Parameter } from './parameters.ts';
import { json } from './reply.ts';
import type { Route } from './routes.ts';

type Json = Readonly<Record<string, unknown>>;

/** `/api/v1/openapi.json`: printed from the routes themselves, so it cannot say anything else than they do. */
export function openApiRoute(routes: () => readonly Route[], about: { version: string; server: () => string }): Route {
  return {
    method: 'GET',
    path: '/api/v1/openapi.json',
    about: 'This document.',
    gives: { type: 'application/json', schema: { type: 'object' } },
    handle: async () => json(openApiOf(routes(), { version: about.version, server: about.server() })),
  };
}

/** The OpenAPI 3.1 document of `routes`. */
export function openApiOf(routes: readonly Route[], about: { version: string; server: string }): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  return {
    openapi: '3.1.0',
    info: { title: 'graphwarden', version: about.version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: about.server === '' ? '/' : about.server }],
    paths,
    components: { schemas: { Problem: problemSchema } },
  };
}

const problemSchema: Json = {
  type: 'object',
  required: ['title', 'status', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    problems: { type: 'array', items: { type: 'object' } },
  },
};

function operation({ method, path, about, parameters = [], takes, gives, problems = {} }: Route): Json {
  const schema = gives.schema ?? { type: 'string' };
  const failures = Object.entries(problems).map(([status, description]) => [status, failed(description)] as const);
  const segments = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => segment(name));
  return {
    operationId: [method.toLowerCase(), ...path.split(/[^a-z0-9]+/i).filter(Boolean)].join('_'),
    summary: about,
    ...(segments.length + parameters.length === 0 ? {} : { parameters: [...segments, ...parameters.map(parameter)] }),
    ...(takes === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: takes } } } }),
    responses: {
      200: { description: 'The answer.', content: { [gives.type]: { schema } } },
      ...Object.fromEntries(failures),
    },
  };
}

function parameter({ name, about, schema, required = false }: Parameter): Json {
  return { name, in: 'query', description: about, required, schema };
}

function segment(name: string): Json {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function failed(description: string): Json {
  const schema = { $ref: '#/components/schemas/Problem' };
  return { description, content: { 'application/problem+json': { schema } } };
}
