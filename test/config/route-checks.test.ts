import { describe, expect, it } from 'vitest';
import { rules } from '../../src/alert/rules/all.ts';
import { loadConfig } from '../../src/config/load.ts';
import { droppedPages, lateRules, unusedRoutes } from '../../src/config/route-checks.ts';

/** Returns the positions of the routes that get no alert. */
function unused(routes: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) {
  const node = { name: 'm1', url: 'http://10.0.0.1' };
  const clusters = ['alpha', 'beta'].map((name, at) => ({
    name,
    labels: { env: `env${at}` },
    nodes: [{ ...node, url: `${node.url}${at}` }],
  }));
  const receivers = [{ name: 'chat', ntfy: { url: 'https://ntfy.example.org', topic: 't' } }];
  const all = [...routes, { receivers: ['chat'] }];
  const loaded = loadConfig(JSON.stringify({ clusters, alerts: { receivers, routes: all, ...more } }), 'a.yml', {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return unusedRoutes(loaded.value, rules).map(({ path: [, , at] }) => at);
}

function route(...matchers: readonly string[]) {
  return { matchers, receivers: ['chat'] };
}

describe('a route', () => {
  it('is used if an alert of any cluster, severity and rule may reach it', () => {
    expect(
      unused([
        route('cluster_name="alpha"', 'severity="critical"'),
        route('cluster_name="alpha"'),
        route('env="env1"', 'severity!="info"'),
        route('cluster_name=""'),
      ]),
    ).toEqual([]);
  });

  it('is not used if its matchers exclude each other', () => {
    expect(unused([route('cluster_name="alpha"', 'env="env1"'), route('env=""', 'cluster_name!=""')])).toEqual([0, 1]);
  });

  it('is not used if the routes before it match all of its alerts together', () => {
    expect(
      unused([route('cluster_name="alpha"'), route('cluster_name="beta"'), route('env!=""', 'severity="critical"')]),
    ).toEqual([2]);
    expect(unused([{ ...route('env!=""'), continue: true }, route('cluster_name="alpha"')])).toEqual([]);
  });

  it('is used after a route that matches a label which is known only when an alert fires', () => {
    expect(unused([route('service_name=~".+"'), route('service_name="GPE"')])).toEqual([]);
    expect(unused([route('node="m1"'), route('alertname="GraphdbNodeUnreachable"')])).toEqual([]);
  });

  it('is not used if only disabled rules have its alerts', () => {
    const rule = route('alertname="GraphdbNodeUnreachable"');
    expect(unused([rule])).toEqual([]);
    expect(unused([rule], { rules: { node_unreachable: { enabled: false } } })).toEqual([0]);
  });

  it('is not used if the rule never has the severity', () => {
    const unreachable = 'alertname="GraphdbNodeUnreachable"';
    expect(unused([route(unreachable, 'severity="warning"')])).toEqual([0]);
    expect(unused([route('alertname="GraphdbDiskFilling"', 'severity=~"critical|warning"')])).toEqual([]);
    expect(unused([route('alertname="GraphdbDiskFilling"', 'severity="critical"')])).toEqual([]);
    const configured = { rules: { node_unreachable: { severity: 'warning' } } };
    expect(unused([route(unreachable, 'severity="warning"')], configured)).toEqual([]);
    expect(unused([route(unreachable, 'severity="critical"')], configured)).toEqual([0]);
  });

  it('is used by alerts with the labels that a rule adds', () => {
    const labels = { disk_filling: { labels: { team: 'storage' } } };
    expect(unused([route('team="storage"')], { rules: labels })).toEqual([]);
    expect(unused([route('team="storage"', 'alertname="GraphdbClusterDown"')], { rules: labels })).toEqual([0]);
  });
});

/** Returns the configuration with these routes. */
function configOf(routes: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) {
  const clusters = ['alpha', 'beta'].map((name, at) => ({
    name,
    labels: { env: `env${at}` },
    nodes: [{ name: 'm1', url: `http://10.0.0.${at}` }],
  }));
  const receivers = [{ name: 'chat', ntfy: { url: 'https://ntfy.example.org', topic: 't' } }];
  const loaded = loadConfig(JSON.stringify({ clusters, alerts: { receivers, routes, ...more } }), 'a.yml', {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

/** Returns the places of the critical alerts that the warnings are about. */
function dropped(...routes: readonly unknown[]) {
  return droppedPages(configOf(routes), rules).map(({ message }) =>
    message.replace(/^sends no critical alert (.*) ?to a receiver$/, '$1').trim(),
  );
}

function drop(...matchers: readonly string[]) {
  return { matchers, receivers: [] };
}

describe('routes', () => {
  it('that drop all critical alerts, but no others, are reported', () => {
    expect(dropped(route('severity="warning"'), { receivers: [] })).toEqual(['']);
    expect(dropped(drop('severity="critical"'), { receivers: ['chat'] })).toEqual(['']);
    expect(dropped(drop('node=~".*"'), { receivers: ['chat'] })).toEqual(['']);
  });

  it('that drop all critical alerts of a place are reported', () => {
    expect(dropped(route('cluster_name="alpha"'), { receivers: [] })).toEqual([
      'of clusters[1]',
      'about graphwarden itself',
    ]);
    expect(dropped(drop('alertname=~"Graphdb.*"'), { receivers: ['chat'] })).toEqual([
      'of clusters[0]',
      'of clusters[1]',
    ]);
    expect(dropped(drop('env!="env0"'), { receivers: ['chat'] })).toEqual([
      'of clusters[1]',
      'about graphwarden itself',
    ]);
  });

  it('may drop the alerts of places that they name', () => {
    expect(dropped(drop('cluster_name="alpha"'), { receivers: ['chat'] })).toEqual([]);
    expect(dropped(drop('env=~"env0|env1"'), { receivers: ['chat'] })).toEqual([]);
    expect(dropped(route('cluster_name=~"alpha|beta"'), drop('cluster_name=""'), { receivers: ['chat'] })).toEqual([]);
  });

  it('may drop some critical alerts', () => {
    expect(dropped(route('node="m1"'), route('cluster_name=""'), { receivers: [] })).toEqual([]);
    expect(dropped(route('severity="critical"'), { receivers: [] })).toEqual([]);
  });
});

describe('rules', () => {
  const late = (own: Readonly<Record<string, unknown>>) =>
    lateRules(configOf([{ receivers: ['chat'] }], { rules: { node_unreachable: own } }), rules).map(
      ({ path, message }) => `${path.join('.')} ${message}`,
    );

  it('that delay critical alerts for hours are reported', () => {
    expect(late({ for: '5h' })).toEqual(['alerts.rules.node_unreachable.for delays critical alerts by 5h']);
    expect(late({ for: '1h' })).toEqual([]);
    expect(late({ for: '5h', severity: 'warning' })).toEqual([]);
    expect(late({ for: '5h', enabled: false })).toEqual([]);
  });

  it('may have their default', () => {
    expect(late({})).toEqual([]);
  });
});
