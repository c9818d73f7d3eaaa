import { describe, expect, it } from 'vitest';
import { findRoute, legacyPath, routes } from '../../src/simulator/routes.ts';

function filled(template: string): string {
  return template.replace('{graph}', 'fraud').replace('{name}', 'ring_scan').replace('{category}', 'qps');
}

describe('the routes', () => {
  it.each(routes.map((route) => [route.path, route] as const))(
    '%s is found in the form of its release (case %$)',
    (path, route) => {
      for (const legacy of [true, false]) {
        if (route.only !== undefined && route.only !== (legacy ? 'legacy' : 'current')) continue;
        const requested = filled(legacy ? legacyPath(path) : path);
        for (const method of route.methods) expect(findRoute(method, requested, legacy)?.route).toBe(route);
        const deletes = routes.some((one) => one.path === path && one.methods.includes('DELETE'));
        expect(findRoute('DELETE', requested, legacy) !== undefined).toBe(deletes);
      }
    },
  );

  it.each([
    ['/restpp/echo', '/echo'],
    ['/restpp/echo/', '/echo/'],
    ['/restpp/statistics/{graph}', '/statistics/{graph}'],
    ['/gsql/v1/version', '/gsqlserver/gsql/version'],
    ['/informant/metrics', '/informant/metrics'],
    ['/api/ping', '/api/ping'],
  ])('have the older form of %s: %s', (current, older) => {
    expect(legacyPath(current)).toBe(older);
  });

  it.each([
    ['/restpp/echo', true],
    ['/gsql/v1/version', true],
    ['/gsql/v1/tokens', true],
    ['/gsqlserver/gsql/tokens', true],
    ['/echo', false],
    ['/gsqlserver/gsql/version', false],
    ['/requesttoken', false],
    ['/restpp/requesttoken', false],
    ['/restpp/version/', false],
    ['/restpp/statistics/a/b', false],
    ['/', false],
  ])('%s is unknown (3.x: %s)', (path, legacy) => {
    for (const method of ['GET', 'POST']) expect(findRoute(method, path, legacy)).toBeUndefined();
  });

  it('name the parts of a path', () => {
    expect(findRoute('GET', '/restpp/query/fraud/ring_scan', false)?.path).toEqual({
      graph: 'fraud',
      name: 'ring_scan',
    });
    expect(findRoute('GET', '/restpp/endpoints', false)?.path).toEqual({});
  });

  it('require no credentials for the informant and the ping, but for all of the data plane', () => {
    const guards = Object.fromEntries(routes.map(({ path, access }) => [path, access]));
    expect(guards).toMatchObject({ '/api/ping': 'open', '/informant/metrics': 'open', '/gsql/v1/version': 'gsql' });
    for (const { path, access: guarded } of routes) {
      const expected = path.startsWith('/restpp/abortquery/') ? 'abort' : 'restpp';
      if (path.startsWith('/restpp/')) expect(guarded).toBe(expected);
    }
  });
});
