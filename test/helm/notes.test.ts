import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chart, helm, helmRender, type Rendering, renderAll, rendering, template, valueFile } from './chart.ts';

const endpoint = 'http://otel:4318';
const restricted = {
  networkPolicy: { restrictEgress: true },
  clusters: [{ name: 'graph', podLabels: { app: 'graph' } }],
};
const telemetry = { config: { telemetry: { traces: { endpoint }, metrics: { endpoint } } } };
const open = { web: { createUsers: false }, networkPolicy: { enabled: false } };
const sidecars = { mode: 'sidecar', clusters: [{ name: 'graph', podLabels: { app: 'graph' } }] };
const podMonitor = { enabled: true };
const prometheusRule = { enabled: true };

/** Installations with a value file and other values. */
const changed: Readonly<Record<string, readonly [file: string, values: object]>> = {
  'sidecar-guard, stopped': ['sidecar-guard', { replicaCount: 0 }],
  'defaults, restricted': ['defaults', restricted],
  'defaults, telemetry': ['defaults', telemetry],
  'defaults, restricted, telemetry': ['defaults', { ...restricted, ...telemetry }],
  'exposed, no users': ['exposed', { web: { createUsers: false } }],
  'exposed, no address': [
    'defaults',
    {
      ingress: { enabled: true, hosts: ['{{ "warden" }}.example.org'] },
      networkPolicy: { ingressFrom: [{ podSelector: {} }] },
    },
  ],
  'defaults, open': ['defaults', open],
  'defaults, open, node port': ['defaults', { ...open, service: { enabled: true, type: 'NodePort' } }],
  'defaults, sidecars': ['defaults', sidecars],
  'defaults, sidecars, pods': ['defaults', { ...sidecars, podMonitor }],
  'defaults, sidecars, pods, service': ['defaults', { ...sidecars, podMonitor, serviceMonitor: { enabled: true } }],
  'defaults, rules': ['defaults', { prometheusRule }],
  'alerts, rules': ['alerts', { prometheusRule }],
};

/** Returns the notes after an installation, by the name of its value file or in {@link changed}. */
function notes(installation: string): string {
  const values = valuesOf(installation);
  const { notes: text, error } = template(values === undefined ? { file: installation } : { values });
  return text ?? expect.fail(`${installation}: ${error}`);
}

function valuesOf(installation: string): object | undefined {
  const change = changed[installation];
  return change && { ...parse(readFileSync(valueFile(change[0]), 'utf8')), ...change[1] };
}

/** The objects that the notes name, as `kind/name`, or with `get configmap`. */
function named(text: string): readonly string[] {
  const slashed = [...text.matchAll(/deployment\/([\w.-]+)/g)].map(([, name]) => `Deployment ${name}`);
  return [...slashed, ...[...text.matchAll(/get configmap ([\w.-]+)/g)].map(([, name]) => `ConfigMap ${name}`)];
}

function titles({ objects }: Rendering): readonly string[] {
  return objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`);
}

const files = ['defaults', 'names', 'nodes', 'clusters', 'alerts', 'web', 'existing-configmap', 'sidecar-container'];

describe.skipIf([helm, helmRender].includes(undefined))('the notes after an installation', () => {
  beforeAll(() => renderAll(Object.keys(changed).map(valuesOf)));

  it('are printed by helm', () => {
    const args = ['install', 'x', chart, '--namespace', 'db', '--dry-run=client', '--values', valueFile('defaults')];
    const { stdout, stderr, status } = spawnSync(helm ?? '', args, { encoding: 'utf8' });
    expect(stderr).not.toContain('Error');
    expect(status).toBe(0);
    expect(stdout.slice(stdout.indexOf('NOTES:\n')).trim()).toBe(`NOTES:\n${notes('defaults')}`.trim());
  });

  it.each([...files, 'sidecar-guard', 'stateless'])('name only existing objects: %s', (file) => {
    const text = notes(file);
    const made = titles(rendering({ file }));
    expect(named(text).length).toBeGreaterThan(2);
    expect(named(text).filter((title) => !made.includes(title))).toEqual([]);
    expect(text).not.toMatch(/<no value>|<nil>|%!|map\[/);
  });

  it('state the discovery of nodes, as in the configuration', () => {
    for (const file of ['defaults', 'clusters', 'nodes']) {
      const { text } = rendering({ file });
      const targets = [...text.matchAll(/^\s+(?:- )?(?:srv|dns|url): (\S+)$/gm)].map(([, target = '']) => target);
      expect(targets.length).toBeGreaterThan(0);
      for (const target of targets) expect(notes(file)).toContain(target);
    }
  });

  it('state the fragments of the sidecar, and their location', () => {
    const text = notes('sidecar-guard');
    const { data = {} } = rendering({ file: 'sidecar-guard' }).one('ConfigMap', 'x-graphwarden-prod-fragments');
    const keys = [...text.matchAll(/get configmap \S+ -o jsonpath='\{\.data\.([^}]+)\}'/g)].map(([, key = '']) =>
      key.replaceAll('\\', ''),
    );
    expect(keys.toSorted()).toEqual(Object.keys(data).toSorted());
    expect(text).toContain('update them after an upgrade');
  });

  it('state with replicaCount 0 how to stop the guards of sidecars', () => {
    const text = notes('sidecar-guard, stopped');
    expect(text).not.toContain('It is stopped');
    expect(text).toContain('That stops no sidecar');
    expect(text).toContain(
      '-c graphwarden -- /nodejs/bin/node -e \'fs.writeFileSync("/var/lib/graphwarden/guard.paused"',
    );
    expect(notes('sidecar')).not.toContain('guard.paused');
  });

  it('name targets that a restricted policy blocks', () => {
    const list = 'unless networkPolicy.extraEgress allows them: telemetry.traces.endpoint, telemetry.metrics.endpoint.';
    expect(notes('defaults, restricted, telemetry')).toContain(list);
    for (const one of ['defaults, restricted', 'defaults, telemetry']) expect(notes(one)).not.toContain('extraEgress');
  });

  it('state who can read the exposed port without users, and how to read the password', () => {
    const password = "get secret x-graphwarden-users -o jsonpath='{.data.graphwarden}' | base64 -d";
    expect(notes('exposed, no users')).toContain('Every client that reaches the ingress');
    expect(notes('exposed')).not.toContain('Every client that reaches');
    expect(notes('exposed')).toContain(password);
    expect(notes('web')).not.toContain(password);
    expect(notes('defaults, open')).not.toMatch(/Every client that reaches|connect/);
    expect(notes('defaults, open, node port')).toContain('Every client');
  });

  it('state the address for clients outside of the cluster', () => {
    expect(notes('exposed')).toMatch(/Clients outside of the cluster use (?:https?:|the host )\S+\./);
    expect(notes('exposed, no address')).toContain('use the host warden.example.org. Notifications link to it if');
    expect(notes('defaults')).not.toContain('Clients outside');
  });

  it('state who can connect', () => {
    expect(notes('defaults')).toContain('The NetworkPolicy lets no other pod connect');
    expect(notes('pod-monitor')).toContain('only pods of Prometheus (app.kubernetes.io/name: prometheus) connect');
    expect(notes('network')).not.toContain('The NetworkPolicy lets');
  });

  it('state how to uninstall, and which objects remain', () => {
    expect(notes('defaults')).toContain('deletes the claim x-graphwarden with the state');
    expect(notes('storage')).toContain('keeps the claim x-graphwarden');
    expect(notes('sidecar-guard')).toContain('Remove the sidecars from the pods of the database first');
  });

  it('name in sidecar mode the pods that are not scraped', () => {
    expect(notes('defaults, sidecars')).toMatch(/not scrape the daemon.*not scrape the sidecars/s);
    const pods = notes('defaults, sidecars, pods');
    expect(pods).not.toContain('the sidecars: enable podMonitor');
    expect(pods).toContain('Prometheus does not scrape the daemon of the cluster');
    expect(notes('defaults, sidecars, pods, service')).not.toMatch(/does not scrape/);
  });

  it('warn if receivers would be notified twice', () => {
    expect(notes('alerts, rules')).toContain('Both prometheusRule and config.alerts.receivers notify');
    for (const one of [notes('alerts'), notes('defaults, rules')]) expect(one).not.toContain('Both prometheusRule');
  });

  it('name missing settings, only if they are missing', () => {
    expect(notes('stateless')).toContain('lost with the pod');
    expect(notes('defaults')).not.toContain('lost with the pod');
    expect(notes('defaults')).toContain('does not scrape graphwarden');
    expect(notes('pod-monitor')).not.toContain('does not scrape');
    expect(notes('stopped')).toContain('It is stopped');
    expect(notes('alerts')).toContain('http://127.0.0.1:9916/watch/');
    expect(notes('web')).toContain('https://127.0.0.1:9916/');
  });
});
