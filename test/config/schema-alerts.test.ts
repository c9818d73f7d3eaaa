import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { matchersOf } from '../support/matchers-of.ts';

const base = 'clusters: [{ name: prod, nodes: [{ name: m1, url: "http://m1.test" }] }]';

function loaded(alerts: string) {
  const config = loadConfig(`${base}\nalerts: ${alerts}`, 'test.yml', {});
  return config.ok ? config.value.alerts : expect.fail(JSON.stringify(config.error));
}

function problems(alerts: string): readonly string[] {
  const config = loadConfig(`${base}\nalerts: ${alerts}`, 'test.yml', {});
  return config.ok ? [] : config.error.map(({ path, message }) => `${path} ${message}`);
}

describe('the alerts section', () => {
  it('is optional: rules are evaluated, and no notification is sent', () => {
    const config = loadConfig(base, 'test.yml', {});
    const alerts = config.ok ? config.value.alerts : expect.fail('a plain configuration is refused');
    expect(alerts).toMatchObject({ receivers: [], routes: [], maintenance: [], templates: {} });
    expect(alerts.rules.node_unreachable).toMatchObject({ enabled: true, severity: 'critical' });
  });

  it('sends each alert to all receivers, critical ones at once, without routes', () => {
    const { routes } = loaded(
      '{ receivers: [{ name: a, webhook: { url: "http://a.test" } }, { name: b, webhook: { url: "http://b.test" } }] }',
    );
    expect(routes).toMatchObject([
      { matchers: matchersOf('severity="critical"'), receivers: ['a', 'b'], groupWait: 0, continues: false },
      { matchers: [], receivers: ['a', 'b'], groupWait: 30_000, continues: false },
    ]);
  });

  it('keeps configured routes', () => {
    const { routes } = loaded(
      '{ receivers: [{ name: a, webhook: { url: "http://a.test" } }], routes: [{ matchers: [severity=critical], receivers: [a] }, { receivers: [] }] }',
    );
    expect(routes).toMatchObject([
      { matchers: matchersOf('severity="critical"'), receivers: ['a'] },
      { matchers: [], receivers: [] },
    ]);
  });

  it('reports problems across keys together with problems of single keys', () => {
    const twice = '[{ name: a, webhook: { url: "http://a.test" } }, { name: a, webhook: { url: "http://b.test" } }]';
    expect(problems(`{ receivers: ${twice}, routes: [{ receivers: [a, b] }], rules: { nothing: {} } }`)).toEqual([
      expect.stringContaining('alerts.receivers[1].name is already the name of receivers[0]; choose another name'),
      expect.stringContaining('alerts.routes[0].receivers[1] is not the name of a receiver'),
      expect.stringContaining('alerts.rules.nothing'),
    ]);
  });
});
