import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../../src/app/api/all-routes.ts';
import { EventBroker } from '../../../src/app/api/event-stream.ts';
import { createRouteDependencies } from '../fake-route-dependencies.ts';
import { clusterOf, configOf } from '../fakes.ts';

const dependencies = await createRouteDependencies(configOf([clusterOf('prod', ['m1'])]));
const routes = allRoutes(dependencies, new EventBroker(dependencies.ports.clock), () => '');

describe('routes', () => {
  it('are unique', () => {
    const names = routes.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('declare their JSON answers', () => {
    const undeclared = routes.filter(({ response }) => response.type === 'application/json' && !response.schema);
    expect(undeclared.map(({ path }) => path)).toEqual(['/api/v1/openapi.json']);
  });

  it('that change state reject users without the role operator', () => {
    const actions = routes.filter(({ method }) => method !== 'GET');
    expect(actions.filter(({ errorResponses }) => errorResponses?.[403] === undefined)).toEqual([]);
    expect(actions.length).toBeGreaterThan(5);
  });

  it('are described by sentences', () => {
    expect(routes.filter(({ about }) => !/^[A-Z].*\.$/.test(about))).toEqual([]);
  });
});
