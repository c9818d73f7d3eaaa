import { expect } from 'vitest';
import { parse } from 'yaml';
import { daemonConfig, daemonPod, type Rendering } from './chart.ts';
import type { Case } from './cluster-cases.ts';
import { fragmentsOf } from './fragments.ts';

function sidecarConfig(made: Rendering, cluster: string): unknown {
  return parse(made.one('ConfigMap', `x-graphwarden-${cluster}`).data?.['graphwarden.yml'] ?? '');
}

/** Cases by value file: the sidecars, and the daemon of the cluster beside them. */
export const sidecarCases: Readonly<Record<string, Case>> = {
  sidecar: (made) => {
    expect(daemonConfig(made)).toMatchObject({ scope: 'cluster' });
    expect(sidecarConfig(made, 'graph')).toEqual({
      listen: '[${POD_IP}]:9916',
      scope: 'node',
      state_dir: '/var/lib/graphwarden',
      web_config_file: '/etc/graphwarden/config/web.yml',
      scrapers: ['prometheus'],
      state: { retention: { size: '128MiB' } },
      clusters: [{ name: 'graph', nodes: [{ name: '${POD_NAME}', url: 'http://127.0.0.1:14240' }] }],
    });
    const { statefulSet, kustomize, operator, target } = fragmentsOf(made, 'graph');
    expect(target).toBe('graph');
    expect(statefulSet.containers).toEqual([]);
    expect(statefulSet.initContainers).toMatchObject([{ name: 'graphwarden', restartPolicy: 'Always' }]);
    expect(kustomize).toEqual(statefulSet);
    // It knows ordinary containers alone: the same one, without what makes it native.
    const [{ restartPolicy: _, ...container } = { restartPolicy: '' }] = statefulSet.initContainers;
    expect(operator).toMatchObject({ containers: [container], volumes: statefulSet.volumes });
    expect(daemonPod(made).daemon.args).toContain('--config=/etc/graphwarden/config/graphwarden.yml');
  },
  'sidecar-guard': (made) => {
    expect(daemonConfig(made)).not.toHaveProperty('guard');
    // Who does not abort needs nothing to abort with.
    expect(JSON.stringify([daemonConfig(made), daemonPod(made)])).not.toContain('abort');
    expect(sidecarConfig(made, 'prod')).toMatchObject({
      clusters: [
        {
          labels: { env: 'prod' },
          read_auth: { bearer_token_file: '/etc/graphwarden/secrets/graph-read/token' },
          abort_auth: { bearer_token_file: '/etc/graphwarden/secrets/graph-abort/token' },
        },
      ],
      collectors: { queries: { interval: '2s' } },
      guard: { mode: 'enforce' },
    });
    // Where the pods of the database are, and nowhere else.
    expect(made.one('ConfigMap', 'x-graphwarden-prod').metadata.namespace).toBe('db');
    const { statefulSet, target } = fragmentsOf(made, 'prod');
    expect(target).toBe('prod-db');
    const secret = { secretName: 'graph-abort', optional: true, defaultMode: 0o444 };
    expect(statefulSet.volumes).toContainEqual({ name: 'graphwarden-secret-graph-abort', secret });
    expect(made.one('PodMonitor').spec).toMatchObject({
      selector: { matchLabels: { app: 'graph' } },
      namespaceSelector: { matchNames: ['db'] },
      podMetricsEndpoints: [{ port: 'graphwarden', honorLabels: true, relabelings: [{ replacement: 'graphwarden' }] }],
    });
    expect(made.has('ServiceMonitor')).toBe(true);
  },
  'sidecar-container': (made) => {
    const { statefulSet, operator } = fragmentsOf(made, 'prod');
    expect(statefulSet.initContainers).toEqual([]);
    expect(statefulSet.containers).toEqual(operator.containers);
    expect(statefulSet.containers[0]).not.toHaveProperty('restartPolicy');
    expect(statefulSet.containers).toMatchObject([
      {
        resources: { requests: { cpu: '50m' } },
        livenessProbe: { httpGet: { path: '/-/healthy', port: 'graphwarden' }, failureThreshold: 10 },
        env: expect.arrayContaining([{ name: 'NODE_OPTIONS', value: '--max-old-space-size=128' }]),
      },
    ]);
    // A volume that the pod has anyway, and none that it would wait for.
    expect(statefulSet.containers[0]?.volumeMounts).toContainEqual({
      name: 'data',
      mountPath: '/var/lib/graphwarden',
    });
    expect(statefulSet.volumes.map(({ name }) => name)).not.toContain('graphwarden-state');
    expect(sidecarConfig(made, 'test')).toMatchObject({
      clusters: [{ name: 'test', nodes: [{ url: 'https://127.0.0.1:8443' }], tls: { insecure_skip_verify: true } }],
    });
  },
  'sidecar-best-effort': (made) => {
    const [sidecar] = fragmentsOf(made, 'graph').statefulSet.initContainers;
    expect(sidecar?.resources ?? {}).toEqual({});
  },
};
