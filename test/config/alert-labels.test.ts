import { describe, expect, it } from 'vitest';
import { rules } from '../../src/alert/rules/all.ts';
import {
  alertLabelNames,
  configuredLabelNames,
  labelNameProblem,
  matcherWarnings,
} from '../../src/config/alert-labels.ts';
import { loadConfig } from '../../src/config/load.ts';
import { matchersOf } from '../support/matchers-of.ts';

function settings(more: object = {}) {
  const clusters = [{ name: 'prod', labels: { env: 'prod' }, nodes: [{ name: 'm1', url: 'http://10.0.0.1' }] }];
  const alerts = { rules: { disk_filling: { labels: { team: 'graph' } } } };
  const loaded = loadConfig(JSON.stringify({ clusters, alerts, ...more }), 'test', {});
  return loaded.ok ? loaded.value : expect.fail(JSON.stringify(loaded.error));
}

describe('label names', () => {
  const known = alertLabelNames(rules, configuredLabelNames(settings()));

  it.each(['alertname', 'severity', 'cluster_name', 'node', 'service_name', 'env', 'team'])('include %s', (name) => {
    expect(labelNameProblem(name, known)).toBeUndefined();
  });

  it('are suggested for similar ones', () => {
    expect(labelNameProblem('severty', known)).toEqual({
      message: 'unknown label `severty`',
      hint: 'did you mean `severity`?',
    });
  });

  it('are listed for others, and a name that may be a secret is not printed', () => {
    const problem = labelNameProblem('x9f3k2m4q8', known);
    expect(problem?.message).toBe('unknown label');
    expect(problem?.hint).toMatch(/^known labels: alertname, severity, cluster_name, /);
  });
});

describe('matchers', () => {
  it.each([
    ['node="m1"'],
    ['node=""'],
    ['node=~"m.*|"'],
    ['severity=~"critical|warning"'],
    ['cluster_name!="prod"'],
    ['service_name="ANY"'],
    ['env="prod"'],
    ['team!="graph"'],
  ])('without a warning: %s', (matcher) => {
    expect(matcherWarnings(matchersOf(matcher), settings(), rules)).toEqual([]);
  });

  it('warn once each, with their position and a suggestion', () => {
    const given = matchersOf('node="m1"', 'alertname="GraphdbNodeUnreachabel"', 'cluster_name="prdo"');
    expect(matcherWarnings(given, settings(), rules)).toEqual([
      { index: 1, message: 'matches no alert rule', meant: { value: 'GraphdbNodeUnreachable' } },
      {
        index: 2,
        message: 'matches no configured cluster',
        meant: { value: 'prod', path: 'the name of clusters[0]' },
      },
    ]);
  });

  it('on nodes that are discovered do not warn', () => {
    const discovered = settings({ clusters: [{ name: 'dns', discover: { srv: '_x._tcp.example.org' } }] });
    expect(matcherWarnings(matchersOf('node="any"'), discovered, rules)).toEqual([]);
  });
});
