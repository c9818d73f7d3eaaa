import { expect } from 'vitest';
import { daemonConfig, daemonPod, type Rendering } from './chart.ts';

/** Expectations of a rendering. */
export type Case = (made: Rendering) => void;

/** Cases by value file: what becomes of clusters and configuration. */
export const clusterCases: Readonly<Record<string, Case>> = {
  defaults: (made) => {
    expect(daemonConfig(made)).toEqual({
      listen: '0.0.0.0:9916',
      scope: 'all',
      state_dir: '/var/lib/graphwarden',
      state: { retention: { size: '1638MiB' } },
      web_config_file: '/etc/graphwarden/web/web.yml',
      scrapers: ['prometheus'],
      clusters: [
        {
          name: 'graph',
          discover: {
            srv: '_nginx._tcp.graph-internal-service.db.svc.cluster.local',
            refresh_interval: '30s',
            scheme: 'http',
          },
        },
      ],
    });
    const kinds = made.objects.map(({ kind }) => kind).toSorted();
    const wanted = ['ConfigMap', 'Deployment', 'NetworkPolicy', 'PersistentVolumeClaim', 'Pod', 'Secret', 'Secret'];
    expect(kinds).toEqual([...wanted, 'ServiceAccount']);
    expect(made.one('Deployment').spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
  },
  clusters: (made) => {
    const tls = '/etc/graphwarden/secrets/prod-tls';
    expect(daemonConfig(made)).toMatchObject({
      clusters: [
        {
          name: 'prod',
          labels: { env: 'prod' },
          discover: { srv: '_web._tcp.prod-nodes.db.svc.cluster.local', scheme: 'https', refresh_interval: '1m' },
          read_auth: { bearer_token_file: '/etc/graphwarden/secrets/prod-read/token' },
          tls: {
            ca_file: `${tls}/ca.crt`,
            cert_file: `${tls}/tls.crt`,
            key_file: `${tls}/tls.key`,
            server_name: 'graph.example.org',
          },
          server_version: '4.1',
          graphs: ['sales'],
        },
        {
          name: 'test_eu',
          discover: { dns: 'test-nodes.db.svc.cluster.local', port: 14241 },
          read_auth: {
            basic: { username: 'monitor', password_file: '/etc/graphwarden/secrets/test-read/password' },
          },
        },
      ],
    });
    const { pod, daemon } = daemonPod(made);
    const folders = daemon.volumeMounts?.map(({ mountPath }) => mountPath);
    expect(folders).toEqual(
      expect.arrayContaining([tls, '/etc/graphwarden/secrets/prod-read', '/etc/graphwarden/secrets/test-read']),
    );
    const secret = { secretName: 'prod-read', defaultMode: 0o440 };
    expect(pod.volumes).toContainEqual({ name: 'secret-prod-read', secret });
  },
  nodes: (made) => {
    expect(daemonConfig(made)).toMatchObject({
      clusters: [
        {
          nodes: [{ name: 'm1', host_id: 'm1', instance: 'RESTPP_1_1' }, { name: 'm2' }],
          read_auth: { secret_file: '/etc/graphwarden/secrets/graph/secret' },
          tls: { insecure_skip_verify: true },
        },
      ],
    });
    expect(made.text).not.toContain('discover');
  },
  alerts: (made) => {
    expect(daemonConfig(made)).toMatchObject({ alerts: { receivers: [{ name: 'oncall' }, { name: 'am' }] } });
    expect(daemonPod(made).daemon).toMatchObject({
      livenessProbe: { httpGet: { path: '/watch/-/healthy' } },
      readinessProbe: { httpGet: { path: '/watch/-/ready' } },
    });
    expect(daemonPod(made).pod.volumes).toContainEqual(expect.objectContaining({ name: 'secret-receivers' }));
  },
  enforce: (made) => {
    expect(daemonConfig(made)).toMatchObject({
      clusters: [{ abort_auth: { bearer_token_file: '/etc/graphwarden/secrets/graph-abort/abort' } }],
      guard: { mode: 'enforce' },
    });
  },
  'enforce-anonymous': (made) => {
    expect(daemonConfig(made)).toMatchObject({ guard: { mode: 'enforce' }, clusters: [{ name: 'lab' }] });
    expect(made.text).not.toContain('_auth');
  },
  'existing-configmap': (made) => {
    expect(made.has('ConfigMap')).toBe(false);
    const { pod, daemon } = daemonPod(made);
    expect(daemon.args).toEqual(['run', '--config=/etc/graphwarden/config/warden.yml']);
    expect(pod.volumes).toContainEqual({ name: 'config', configMap: { name: 'mine' } });
    expect(pod.volumes).toContainEqual(expect.objectContaining({ name: 'secret-abort' }));
  },
  web: (made) => {
    expect(daemonConfig(made)).toMatchObject({ web_config_file: '/etc/graphwarden/web/web.yml', operators: ['alice'] });
    expect(daemonPod(made).daemon).toMatchObject({ readinessProbe: { httpGet: { scheme: 'HTTPS' } } });
    expect(made.one('ServiceMonitor').spec).toMatchObject({
      endpoints: [
        { scheme: 'https', tlsConfig: { insecureSkipVerify: true }, basicAuth: { username: { key: 'username' } } },
      ],
    });
    expect(made.text).toContain('--url=https://x-graphwarden.db.svc:9916');
  },
};
