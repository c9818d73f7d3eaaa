import { describe, expect, it } from 'vitest';
import { openApiOf, openApiRoute } from '../../src/app/openapi.ts';
import { plain } from '../../src/app/reply.ts';
import type { Route } from '../../src/app/routes.ts';
import type { IncomingRequest } from '../../src/kernel/listener.ts';
import { answerOf } from './fakes.ts';

const list: Route = {
  method: 'GET',
  path: '/api/v1/things',
  about: 'All things.',
  parameters: [
    { name: 'limit', about: 'How many.', schema: { type: 'integer' } },
    { name: 'target', about: 'Which.', schema: { type: 'string' }, required: true },
  ],
  gives: { type: 'application/json', schema: { type: 'array' } },
  problems: { 400: 'Not understood.' },
  handle: async () => plain('things'),
};
const act: Route = { ...list, method: 'POST', about: 'Makes one.', parameters: [], gives: { type: 'text/plain' } };

describe('the document', () => {
  const document = openApiOf([list, act], { version: '1.2.3', server: '' });

  it('says what it describes', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'graphwarden', version: '1.2.3' },
      servers: [{ url: '/' }],
    });
    expect(openApiOf([], { version: '1', server: '/warden' }).servers).toEqual([{ url: '/warden' }]);
  });

  it('has the methods of one path together, with names of their own', () => {
    expect(document.paths).toMatchObject({
      '/api/v1/things': {
        get: { operationId: 'get_api_v1_things', summary: 'All things.' },
        post: { operationId: 'post_api_v1_things', summary: 'Makes one.' },
      },
    });
  });

  it('has what stands in the path, and what is sent', () => {
    const one: Route = { ...act, method: 'DELETE', path: '/api/v1/things/{id}', takes: { type: 'object' } };
    expect(openApiOf([one], { version: '1', server: '' }).paths).toMatchObject({
      '/api/v1/things/{id}': {
        delete: {
          operationId: 'delete_api_v1_things_id',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
    });
  });

  it('has parameters, good answers and problems', () => {
    expect(document.paths).toMatchObject({
      '/api/v1/things': {
        get: {
          parameters: [
            { name: 'limit', in: 'query', description: 'How many.', required: false, schema: { type: 'integer' } },
            { name: 'target', in: 'query', required: true },
          ],
          responses: {
            200: { content: { 'application/json': { schema: { type: 'array' } } } },
            400: { description: 'Not understood.', content: { 'application/problem+json': {} } },
          },
        },
        post: { responses: { 200: { content: { 'text/plain': { schema: { type: 'string' } } } } } },
      },
    });
  });

  it('refers only to schemas that it has', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(new Set(references)).toEqual(new Set(['Problem']));
    expect(document.components).toHaveProperty('schemas.Problem');
  });

  it('is served with the routes and the prefix of the moment', async () => {
    let server = '';
    const routes: Route[] = [list];
    const route = openApiRoute(() => routes, { version: '1', server: () => server });
    routes.push(route);
    server = '/warden';
    const served = JSON.parse(answerOf(await route.handle({} as IncomingRequest, {})).body);
    expect(Object.keys(served.paths)).toEqual(['/api/v1/things', '/api/v1/openapi.json']);
    expect(served.servers).toEqual([{ url: '/warden' }]);
  });
});
