import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument, openApiRoute } from '../../../src/app/api/openapi-route.ts';
import { parameter } from '../../../src/app/api/query-parameters.ts';
import { textReply } from '../../../src/app/api/reply.ts';
import type { Route } from '../../../src/app/api/routes.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { readReply } from '../fakes.ts';

const part = z.object({ size: z.int().describe('Size.') }).meta({ id: 'OpenApiTestPart' });
const thing = z.object({ parts: z.array(part) }).meta({ id: 'OpenApiTestThing', description: 'Thing.' });
const reference = { $ref: '#/components/schemas/OpenApiTestThing' };

const list: Route = {
  method: 'GET',
  path: '/api/v1/things',
  about: 'Lists things.',
  parameters: [parameter('limit', 'How many.', z.int()), { ...parameter('target', 'Which.'), required: true }],
  response: { type: 'application/json', schema: z.array(thing) },
  errorResponses: { 400: 'Invalid.' },
  handle: async () => textReply('things'),
};
const create: Route = {
  ...list,
  method: 'POST',
  about: 'Creates a thing.',
  parameters: [],
  request: thing,
  response: { type: 'text/plain' },
};
const remove: Route = { ...create, method: 'DELETE', path: '/api/v1/things/{id}' };
const stream: Route = {
  ...list,
  path: '/events',
  parameters: [],
  response: { type: 'text/event-stream', events: { made: thing } },
};

describe('OpenAPI document', () => {
  const document = openApiDocument([list, create, remove, stream], { version: '1.2.3', server: '' });

  it('is valid', async () => {
    expect(await new Validator().validate({ ...document })).toMatchObject({ valid: true });
  });

  it('has version and server', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'graphwarden', version: '1.2.3' },
      servers: [{ url: '/' }],
    });
    expect(openApiDocument([], { version: '1', server: '/warden' }).servers).toEqual([{ url: '/warden' }]);
  });

  it('joins the methods of one path, with unique operation ids', () => {
    expect(document.paths).toMatchObject({
      '/api/v1/things': {
        get: { operationId: 'get_api_v1_things', summary: 'Lists things.' },
        post: { operationId: 'post_api_v1_things', summary: 'Creates a thing.' },
      },
    });
  });

  it('has path parameters and request bodies', () => {
    expect(document.paths).toMatchObject({
      '/api/v1/things/{id}': {
        delete: {
          operationId: 'delete_api_v1_things_id',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          requestBody: { required: true, content: { 'application/json': { schema: reference } } },
        },
      },
    });
  });

  it('has query parameters, answers and errors', () => {
    expect(document.paths).toMatchObject({
      '/api/v1/things': {
        get: {
          parameters: [
            { name: 'limit', in: 'query', description: 'How many.', required: false, schema: { type: 'integer' } },
            { name: 'target', in: 'query', required: true },
          ],
          responses: {
            200: { content: { 'application/json': { schema: { type: 'array', items: reference } } } },
            400: { description: 'Invalid.', content: { 'application/problem+json': {} } },
          },
        },
        post: { responses: { 200: { content: { 'text/plain': { schema: { type: 'string' } } } } } },
      },
    });
  });

  it('has the data of server-sent events', () => {
    expect(document.paths).toMatchObject({
      '/events': {
        get: { responses: { 200: { content: { 'text/event-stream': { 'x-events': { made: reference } } } } } },
      },
    });
  });

  it('declares each object once, and no other', () => {
    const names = ['Problem', 'OpenApiTestThing', 'OpenApiTestPart'];
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(new Set(references)).toEqual(new Set(names));
    expect(document.components).toMatchObject({
      schemas: {
        OpenApiTestThing: { description: 'Thing.', properties: { parts: { type: 'array' } } },
        OpenApiTestPart: { properties: { size: { description: 'Size.' } } },
      },
    });
    expect(text).not.toContain('$defs');
  });

  it('is served with the present routes and prefix', async () => {
    let server = '';
    const routes: Route[] = [list];
    const route = openApiRoute(() => routes, { version: '1', server: () => server });
    routes.push(route);
    server = '/warden';
    const served = JSON.parse(readReply(await route.handle({} as IncomingRequest, {})).body);
    expect(Object.keys(served.paths)).toEqual(['/api/v1/things', '/api/v1/openapi.json']);
    expect(served.servers).toEqual([{ url: '/warden' }]);
  });
});
