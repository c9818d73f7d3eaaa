import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';

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
  it('may be left out: the rules are watched for, and nobody is told', () => {
    const config = loadConfig(base, 'test.yml', {});
    const alerts = config.ok ? config.value.alerts : expect.fail('a plain configuration is refused');
    expect(alerts).toMatchObject({ receivers: [], routes: [], maintenance: [], templates: {} });
    expect(alerts.rules.node_unreachable).toMatchObject({ enabled: true, severity: 'critical' });
  });

  it('tells everybody everything, and what is critical at once, where there are receivers and no routes', () => {
    const { routes } = loaded(
      '{ receivers: [{ name: a, webhook: { url: "http://a.test" } }, { name: b, webhook: { url: "http://b.test" } }] }',
    );
    expect(routes).toMatchObject([
      { match: { severity: ['critical'] }, receivers: ['a', 'b'], groupWait: 0, goesOn: false },
      { match: {}, receivers: ['a', 'b'], groupWait: 30_000, goesOn: false },
    ]);
  });

  it('keeps the routes that are given', () => {
    const { routes } = loaded(
      '{ receivers: [{ name: a, webhook: { url: "http://a.test" } }], routes: [{ match: { severity: critical }, receivers: [a] }] }',
    );
    expect(routes).toMatchObject([{ match: { severity: ['critical'] }, receivers: ['a'] }]);
  });

  it('says what is wrong across its keys, beside what is wrong within them', () => {
    const twice = '[{ name: a, webhook: { url: "http://a.test" } }, { name: a, webhook: { url: "http://b.test" } }]';
    expect(problems(`{ receivers: ${twice}, routes: [{ receivers: [a, b] }], rules: { nothing: {} } }`)).toEqual([
      expect.stringContaining('alerts.receivers[1].name is the name of receivers[0] already'),
      expect.stringContaining('alerts.routes[0].receivers[1] is no receiver'),
      expect.stringContaining('alerts.rules.nothing'),
    ]);
  });
});
