import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { chart, configFiles, helm, renderAll, rendering, valueFiles } from './chart.ts';
import { clusterCases } from './cluster-cases.ts';
import { objectCases } from './object-cases.ts';
import { podCases } from './pod-cases.ts';
import { sidecarCases } from './sidecar-cases.ts';

const cases = { ...clusterCases, ...objectCases, ...podCases, ...sidecarCases };
const environment = { POD_NAME: 'graph-0', POD_IP: '10.1.2.3' };

describe('the value files of the chart', () => {
  it('are at least twenty, each with an expectation', () => {
    expect(valueFiles.length).toBeGreaterThanOrEqual(20);
    expect(Object.keys(cases).toSorted()).toEqual(valueFiles.toSorted());
    expect(chart).toMatch(/helm\/graphwarden$/);
  });
});

describe.skipIf(helm === undefined).each(valueFiles)('with the values «%s», the chart', (file) => {
  it('render the requested objects', () => {
    const made = rendering({ file });
    cases[file]?.(made);
    expect.hasAssertions();
  });

  it('write configuration files that check-config accepts', () => {
    const made = rendering({ file });
    const files = configFiles(made);
    expect(files.length).toBe(file === 'existing-configmap' ? 0 : made.objects.filter(isConfigured).length);
    for (const text of files) {
      expect(loadConfig(text, '/etc/graphwarden/config/graphwarden.yml', environment)).toMatchObject({ ok: true });
    }
  });

  it('use one name scheme, and immutable selectors', () => {
    const { objects } = rendering({ file });
    for (const { kind, metadata } of objects.filter(({ kind: one }) => one !== 'ConfigMap' || file !== 'extras')) {
      expect(metadata.name.length, kind).toBeLessThanOrEqual(63);
      expect(metadata.labels, kind).toMatchObject({ 'app.kubernetes.io/instance': 'x' });
    }
    const selectors = objects.flatMap(({ spec }) =>
      spec?.selector === undefined ? [] : [JSON.stringify(spec.selector)],
    );
    for (const selector of selectors) expect(selector).not.toMatch(/helm\.sh\/chart|version|managed-by/);
  });
});

function isConfigured({ kind, data }: { readonly kind: string; readonly data?: unknown }): boolean {
  return kind === 'ConfigMap' && JSON.stringify(data ?? {}).startsWith('{"graphwarden.yml"');
}

const restarting: readonly (readonly [string, object])[] = [
  ['log.format', { config: { log: { format: 'json' } } }],
  ['telemetry', { config: { telemetry: { traces: { endpoint: 'http://otel:4318' } } } }],
  ['state', { config: { state: { retention: { size: '1GiB' } } } }],
  ['the address', { listenAddress: '[::]' }],
  ['the web config file', { web: { existingSecret: 'web', file: 'other.yml' } }],
  ['users', { web: { createUsers: false } }],
  ['the mode', { mode: 'sidecar' }],
];
const reloaded = { config: { log: { level: 'debug' }, collectors: { health: { interval: '7s' } } } };

describe.skipIf(helm === undefined)('the pod of the daemon', () => {
  beforeAll(() => renderAll([{}, reloaded, ...restarting.map(([, values]) => values)]));

  it.each(restarting)('is replaced after a change that requires a restart: %s', (_, values) => {
    expect(pod(values)).not.toEqual(pod({}));
  });

  it('is not selected by objects without an instance', () => {
    expect(pod(reloaded)).toEqual(pod({}));
  });
});

function pod(values: unknown): unknown {
  return rendering({ values }).one('Deployment').spec?.template;
}
