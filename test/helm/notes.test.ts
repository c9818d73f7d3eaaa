import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chart, helm, type Rendering, rendering } from './chart.ts';

const known = new Map<string, string>();

/** Returns the notes after an installation with a value file. The same installation is rendered once. */
function notes(file: string, ...more: readonly string[]): string {
  const key = JSON.stringify([file, ...more]);
  const text = known.get(key) ?? install(file, more);
  known.set(key, text);
  return text;
}

function install(file: string, more: readonly string[]): string {
  const values = join(chart, 'ci', `${file}-values.yaml`);
  const args = ['install', 'x', chart, '--namespace', 'db', '--dry-run=client', '--values', values, ...more];
  const { stdout, stderr, status } = spawnSync(helm ?? '', args, { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
  expect(stderr).not.toContain('Error');
  expect(status).toBe(0);
  return stdout.slice(stdout.indexOf('NOTES:'));
}

/** The objects that the notes name, as `kind/name`, or with `get configmap`. */
function named(text: string): readonly string[] {
  const slashed = [...text.matchAll(/deployment\/([\w.-]+)/g)].map(([, name]) => `Deployment ${name}`);
  return [...slashed, ...[...text.matchAll(/get configmap ([\w.-]+)/g)].map(([, name]) => `ConfigMap ${name}`)];
}

function titles({ objects }: Rendering): readonly string[] {
  return objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`);
}

function endpoint(signal: string): readonly string[] {
  return ['--set', `config.telemetry.${signal}.endpoint=http://otel:4318`];
}

const files = ['defaults', 'names', 'nodes', 'clusters', 'alerts', 'web', 'existing-configmap', 'sidecar-container'];

describe.skipIf(helm === undefined)('the notes after an installation', () => {
  it.each([...files, 'sidecar-guard', 'stateless'])('name nothing that is not there: %s', (file) => {
    const text = notes(file);
    const made = titles(rendering({ file }));
    expect(named(text).length).toBeGreaterThan(2);
    expect(named(text).filter((title) => !made.includes(title))).toEqual([]);
    expect(text).not.toMatch(/<no value>|<nil>|%!|map\[/);
  });

  it('say where nodes are looked for, as the configuration does', () => {
    for (const file of ['defaults', 'clusters', 'nodes']) {
      const { text } = rendering({ file });
      const places = [...text.matchAll(/^\s+(?:- )?(?:srv|dns|url): (\S+)$/gm)].map(([, place = '']) => place);
      expect(places.length).toBeGreaterThan(0);
      for (const place of places) expect(notes(file)).toContain(place);
    }
  });

  it('say what is on the way to the fragments, and where they are', () => {
    const text = notes('sidecar-guard');
    const { data = {} } = rendering({ file: 'sidecar-guard' }).one('ConfigMap', 'x-graphwarden-prod-fragments');
    const keys = [...text.matchAll(/get configmap \S+ -o jsonpath='\{\.data\.([^}]+)\}'/g)].map(([, key = '']) =>
      key.replaceAll('\\', ''),
    );
    expect(keys.toSorted()).toEqual(Object.keys(data).toSorted());
  });

  it('say with replicaCount 0 how to stop the guards of sidecars', () => {
    const text = notes('sidecar-guard', '--set', 'replicaCount=0');
    expect(text).not.toContain('It is stopped');
    expect(text).toContain('That stops no sidecar');
    expect(text).toContain(
      '-c graphwarden -- /nodejs/bin/node -e \'fs.writeFileSync("/var/lib/graphwarden/guard.paused"',
    );
    expect(notes('sidecar')).not.toContain('guard.paused');
  });

  it('name whom a restricted policy does not let it reach', () => {
    const labels = ['--set', 'clusters[0].name=graph,clusters[0].podLabels.app=graph'];
    const restricted = ['--set', 'networkPolicy.restrictEgress=true', ...labels];
    const both = [...endpoint('traces'), ...endpoint('metrics')];
    const list = 'Add these to networkPolicy.extraEgress: telemetry.traces.endpoint, telemetry.metrics.endpoint.';
    expect(notes('defaults', ...restricted, ...both)).toContain(list);
    for (const more of [restricted, both]) expect(notes('defaults', ...more)).not.toContain('extraEgress');
  });

  it('say who sees what is shown to the outside without users, and how to read the password', () => {
    const password = "get secret x-graphwarden-users -o jsonpath='{.data.graphwarden}' | base64 -d";
    expect(notes('exposed', '--set', 'web.createUsers=false')).toContain('Every client that reaches the ingress');
    expect(notes('exposed')).not.toContain('Every client that reaches');
    expect(notes('exposed')).toContain(password);
    expect(notes('web')).not.toContain(password);
    const open = ['--set', 'web.createUsers=false,networkPolicy.enabled=false'];
    expect(notes('defaults', ...open)).not.toMatch(/Every client that reaches|connect/);
    expect(notes('defaults', ...open, '--set', 'service.enabled=true,service.type=NodePort')).toContain('Every client');
  });

  it('say who can connect', () => {
    expect(notes('defaults')).toContain('The NetworkPolicy lets no other pod connect');
    expect(notes('pod-monitor')).toContain('only pods of Prometheus (app.kubernetes.io/name: prometheus) connect');
    expect(notes('network')).not.toContain('The NetworkPolicy lets');
  });

  it('say how to undo it, and what remains', () => {
    expect(notes('defaults')).toContain('deletes the claim x-graphwarden with the state');
    expect(notes('storage')).toContain('keeps the claim x-graphwarden');
    expect(notes('sidecar-guard')).toContain('Remove the sidecars from the pods of the database first');
  });

  it('name in sidecar mode the pods that are not scraped', () => {
    const monitors = ['podMonitor', 'serviceMonitor'].map((name) => ['--set', `${name}.enabled=true`]);
    const labels = ['--set', 'clusters[0].name=graph,clusters[0].podLabels.app=graph,mode=sidecar'];
    const [pods = [], service = []] = monitors;
    expect(notes('defaults', ...labels)).toMatch(/not scrape the daemon.*not scrape the sidecars/s);
    expect(notes('defaults', ...labels, ...pods)).not.toContain('the sidecars: enable podMonitor');
    expect(notes('defaults', ...labels, ...pods)).toContain('Prometheus does not scrape the daemon of the cluster');
    expect(notes('defaults', ...labels, ...pods, ...service)).not.toMatch(/does not scrape/);
  });

  it('warn if receivers would be notified twice', () => {
    const rules = ['--set', 'prometheusRule.enabled=true'];
    expect(notes('alerts', ...rules)).toContain('Both prometheusRule and config.alerts.receivers notify');
    for (const one of [notes('alerts'), notes('defaults', ...rules)]) expect(one).not.toContain('Both prometheusRule');
  });

  it('speak of what is missing, and only where it is', () => {
    expect(notes('stateless')).toContain('lost with the pod');
    expect(notes('defaults')).not.toContain('lost with the pod');
    expect(notes('defaults')).toContain('does not scrape graphwarden');
    expect(notes('pod-monitor')).not.toContain('does not scrape');
    expect(notes('stopped')).toContain('It is stopped');
    expect(notes('alerts')).toContain('http://127.0.0.1:9916/watch/');
    expect(notes('web')).toContain('https://127.0.0.1:9916/');
  });
});
