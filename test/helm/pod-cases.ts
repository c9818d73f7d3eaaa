import { expect } from 'vitest';
import { daemonConfig, daemonPod } from './chart.ts';
import type { Case } from './cluster-cases.ts';

/** Cases by value file: what becomes of the daemon's pod and its state. */
export const podCases: Readonly<Record<string, Case>> = {
  digest: (made) => {
    const { daemon } = daemonPod(made);
    expect(daemon.image).toMatch(/^ghcr\.io\/graphwarden\/graphwarden@sha256:[0-9a-f]{64}$/);
    expect(daemon.imagePullPolicy).toBe('IfNotPresent');
  },
  stateless: (made) => {
    expect(made.has('PersistentVolumeClaim')).toBe(false);
    expect(daemonPod(made).pod.volumes).toContainEqual({ name: 'state', emptyDir: {} });
    // Less than the ephemeral storage that the pod may use before it is evicted.
    expect(daemonConfig(made)).toMatchObject({ state: { retention: { size: '128MiB' } } });
  },
  claim: (made) => {
    expect(made.has('PersistentVolumeClaim')).toBe(false);
    const persistentVolumeClaim = { claimName: 'warden-state' };
    expect(daemonPod(made).pod.volumes).toContainEqual({ name: 'state', persistentVolumeClaim });
  },
  storage: (made) => {
    expect(made.one('PersistentVolumeClaim')).toMatchObject({
      metadata: { annotations: { 'helm.sh/resource-policy': 'keep', backup: 'daily' } },
      spec: {
        storageClassName: 'fast',
        accessModes: ['ReadWriteOncePod'],
        resources: { requests: { storage: '8Gi' } },
      },
    });
  },
  pod: (made) => {
    expect(made.has('ServiceAccount')).toBe(false);
    expect(daemonConfig(made)).toMatchObject({ listen: '[::]:9917' });
    const { pod, daemon } = daemonPod(made);
    expect(pod).toMatchObject({
      serviceAccountName: 'watcher',
      hostUsers: false,
      priorityClassName: 'system-cluster-critical',
      runtimeClassName: 'gvisor',
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [{ key: 'dedicated' }],
      affinity: { nodeAffinity: {} },
      topologySpreadConstraints: [{ labelSelector: { matchLabels: { 'app.kubernetes.io/instance': 'x' } } }],
      dnsPolicy: 'ClusterFirst',
      dnsConfig: { options: [{ name: 'ndots' }] },
      hostAliases: [{ ip: '10.0.0.1' }],
      terminationGracePeriodSeconds: 30,
    });
    expect(daemon).toMatchObject({
      ports: [{ name: 'http', containerPort: 9917 }],
      startupProbe: { exec: {}, periodSeconds: 1, failureThreshold: 30 },
      resources: { requests: { cpu: 1 } },
    });
    const { livenessProbe } = daemon;
    expect(livenessProbe).toMatchObject({ exec: {}, periodSeconds: 30 });
    expect(livenessProbe).not.toHaveProperty('httpGet');
    expect(made.one('PersistentVolumeClaim')).toMatchObject({
      metadata: { labels: { team: 'graph' } },
      spec: { volumeName: 'warden-0', selector: { matchLabels: { disk: 'ssd' } } },
    });
    expect(made.one('Deployment').metadata.annotations).toMatchObject({ 'example.org/restart': 'true' });
    expect(made.one('Deployment').spec).toMatchObject({
      revisionHistoryLimit: 1,
      template: { metadata: { labels: { tier: 'monitoring' }, annotations: { 'example.org/note': 'mine' } } },
    });
  },
  openshift: (made) => {
    const { pod, daemon } = daemonPod(made);
    expect(JSON.stringify([pod, daemon])).not.toMatch(/runAsUser|runAsGroup|fsGroup|livenessProbe/);
    expect(daemon.securityContext).toMatchObject({ runAsNonRoot: true, readOnlyRootFilesystem: true });
  },
  extras: (made) => {
    const { pod, daemon } = daemonPod(made);
    expect(daemon.env).toContainEqual({ name: 'GRAPH_ENV', value: 'x' });
    expect(daemon).toMatchObject({ envFrom: [{ secretRef: { name: 'otel' } }], lifecycle: { preStop: {} } });
    expect(daemon.volumeMounts).toContainEqual({ name: 'ca', mountPath: '/etc/ca', readOnly: true });
    expect(pod.volumes).toContainEqual({ name: 'ca', configMap: { name: 'corporate-ca' } });
    expect(pod.initContainers.map(({ name }) => name)).toEqual(['first']);
    expect(pod.containers.map(({ name }) => name)).toEqual(['graphwarden', 'proxy']);
    expect(made.one('ConfigMap', 'x-mine').data).toEqual({ chart: 'graphwarden' });
  },
  stopped: (made) => {
    expect(made.one('Deployment').spec).toMatchObject({ replicas: 0 });
    expect(made.has('NetworkPolicy')).toBe(false);
    expect(made.has('Pod')).toBe(false);
  },
};
