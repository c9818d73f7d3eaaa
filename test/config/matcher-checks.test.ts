import { describe, expect, it } from 'vitest';
import { rules } from '../../src/alert/rules/all.ts';
import { loadConfig } from '../../src/config/load.ts';
import { checkLabelNames } from '../../src/config/matcher-checks.ts';
import { formatWarnings } from '../../src/config/problems.ts';
import { corpus } from './corpus.ts';

describe('label names in routes and maintenance windows', () => {
  it.each([[undefined], [{}], [{ alerts: 7 }], [{ alerts: { routes: 7, maintenance: [7, { matchers: [7] }] } }]])(
    'of %j are not checked, because the schema reports it',
    (value) => {
      expect(checkLabelNames(value, rules)).toEqual([]);
    },
  );

  it('may be those that clusters and rules add', () => {
    const routes = [{ matchers: ['env="prod"', 'team="graph"'], group_by: ['env', 'alertname'] }];
    const added = {
      clusters: [{ labels: { env: 'prod' } }, null],
      rules: { disk_filling: { labels: { team: 'graph' } } },
    };
    expect(checkLabelNames({ clusters: added.clusters, alerts: { routes, rules: added.rules } }, rules)).toEqual([]);
    expect(checkLabelNames({ alerts: { routes } }, rules).map(({ path }) => path.join('.'))).toEqual([
      'alerts.routes.0.matchers.0',
      'alerts.routes.0.matchers.1',
      'alerts.routes.0.group_by.0',
    ]);
  });
});

describe('warnings', () => {
  it.each(corpus('corpus/warnings'))('of $name name the place of each matcher', ({ name, text, expected }) => {
    const loaded = loadConfig(text, name, {});
    expect(loaded.ok ? formatWarnings(loaded.value.warnings) : loaded.error).toBe(expected);
  });

  it('contain no configured values', () => {
    const text = `
clusters: [{ name: "\${CLUSTER}", nodes: [{ name: m1, url: "http://10.0.0.1" }] }]
alerts: { routes: [{ matchers: ['cluster_name="hunter-canari"'], receivers: [] }, { receivers: [] }] }`;
    const loaded = loadConfig(text, 'f.yml', { CLUSTER: 'hunter-canary' });
    const warnings = loaded.ok ? formatWarnings(loaded.value.warnings) : '';
    expect(warnings).toContain('did you mean the name of clusters[0]?');
    expect(warnings).not.toContain('hunter');
  });
});
