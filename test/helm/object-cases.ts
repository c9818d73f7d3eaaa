import { expect } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { configFiles, daemonPod } from './chart.ts';
import type { Case } from './cluster-cases.ts';

const rule = z.looseObject({ alert: z.string().optional(), expr: z.string(), for: z.string().optional() });
const groups = z.object({ groups: z.array(z.looseObject({ name: z.string(), rules: z.array(rule) })) });

/** Cases by value file: what comes beside the daemon. */
export const objectCases: Readonly<Record<string, Case>> = {
  names: (made) => {
    for (const { metadata } of made.objects) {
      expect(metadata).toMatchObject({ namespace: 'watch', labels: { team: 'graph' } });
      expect(metadata.name).toMatch(/^warden/);
      expect(metadata.annotations).toMatchObject({ owner: 'graph@example.org' });
    }
    expect(daemonPod(made).daemon.image).toBe('registry.example.org/mirror/graphwarden:1.2.3');
    expect(daemonPod(made).pod).toMatchObject({ imagePullSecrets: [{ name: 'regcred' }] });
  },
  'service-monitor': (made) => {
    expect(made.one('Service').spec).toMatchObject({
      type: 'ClusterIP',
      ports: [{ port: 80, targetPort: 'http' }],
      ipFamilyPolicy: 'PreferDualStack',
      ipFamilies: ['IPv4', 'IPv6'],
    });
    const { metadata, spec } = made.one('ServiceMonitor');
    expect(metadata).toMatchObject({ namespace: 'monitoring', labels: { release: 'prom' } });
    expect(spec).toMatchObject({
      sampleLimit: 200_000,
      scrapeProtocols: ['OpenMetricsText1.0.0', 'PrometheusText0.0.4'],
      targetLabels: ['team'],
      namespaceSelector: { matchNames: ['db'] },
      endpoints: [
        {
          honorLabels: true,
          interval: '30s',
          path: '/metrics',
          relabelings: [{ targetLabel: 'job', replacement: 'graphwarden' }, { action: 'labeldrop' }],
          metricRelabelings: [{ action: 'drop' }],
        },
      ],
    });
    expect(made.one('Service').metadata.labels).toMatchObject({
      'app.kubernetes.io/component': 'daemon',
      scrape: 'yes',
    });
  },
  'pod-monitor': (made) => {
    expect(made.has('Service')).toBe(false);
    expect(made.one('PodMonitor').spec).toMatchObject({
      selector: { matchLabels: { 'app.kubernetes.io/component': 'daemon' } },
      podMetricsEndpoints: [{ port: 'http', honorLabels: true, authorization: { credentials: { name: 'token' } } }],
    });
  },
  rules: (made) => {
    const { metadata, spec } = made.one('PrometheusRule');
    expect(metadata).toMatchObject({ namespace: 'monitoring', labels: { release: 'prom' } });
    const rules = groups.parse(spec).groups.flatMap((group) => group.rules);
    const named = (name: string) => rules.find(({ alert }) => alert === name);
    expect(rules.length).toBeGreaterThan(20);
    expect(named('GraphdbLicenseExpiring')).toBeUndefined();
    expect(named('GraphdbNodeUnreachable')).toMatchObject({
      for: '2m',
      keep_firing_for: '5m',
      labels: { severity: 'page', team: 'graph' },
    });
    expect(named('GraphdbDiskFilling')?.expr).toContain('5000000000');
    expect(named('GraphdbMemoryNearAbort')?.expr).toContain('0.2');
    expect(named('Mine')).toMatchObject({ expr: 'vector(1)' });
    expect(JSON.stringify(rules)).not.toMatch(/@\w+\.\w+@/);
  },
  dashboards: (made) => {
    const maps = made.objects.filter(({ metadata }) => metadata.labels?.grafana_dashboard === '1');
    expect(maps.length).toBeGreaterThan(0);
    for (const { metadata, data = {} } of maps) {
      expect(metadata).toMatchObject({ namespace: 'monitoring', annotations: { grafana_folder: 'Databases' } });
      const [text = ''] = Object.values(data);
      expect(z.looseObject({ uid: z.string() }).parse(JSON.parse(text)).uid).toMatch(/^graphwarden/);
      // What a ConfigMap takes, less its own head.
      expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
    }
  },
  'grafana-operator': (made) => {
    const boards = made.objects.filter(({ kind }) => kind === 'GrafanaDashboard');
    expect(boards.length).toBeGreaterThan(0);
    for (const { spec } of boards) {
      expect(spec).toMatchObject({ folder: 'Databases' });
      // A list of labels that was merged with a built-in one would choose no Grafana at all.
      expect(spec?.instanceSelector).toEqual({ matchLabels: { grafana: 'main' } });
      expect(() => JSON.parse(z.object({ json: z.string() }).parse(spec).json)).not.toThrow();
    }
  },
  network: (made) => {
    const { spec } = made.one('NetworkPolicy');
    const own = { 'app.kubernetes.io/name': 'graphwarden', 'app.kubernetes.io/instance': 'x' };
    expect(spec).toMatchObject({
      podSelector: { matchLabels: own },
      ingress: [
        { ports: [{ port: 'http' }], from: [{ podSelector: { matchLabels: own } }, { namespaceSelector: {} }] },
      ],
      egress: [
        { ports: [{ port: 53 }, { port: 53 }, { port: 5353 }, { port: 5353 }] },
        { to: [{ podSelector: { matchLabels: own } }] },
        {
          to: [
            {
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'db' } },
              podSelector: { matchLabels: { app: 'graph' } },
            },
          ],
          ports: [{ port: 14_240 }],
        },
        { ports: [{ port: 443 }] },
      ],
    });
  },
  exposed: (made) => {
    const backend = { service: { name: made.one('Service').metadata.name, port: { name: 'http' } } };
    expect(made.one('Service').spec).toMatchObject({
      type: 'LoadBalancer',
      loadBalancerClass: 'example.org/internal',
      loadBalancerSourceRanges: ['10.0.0.0/8', 'fd00::/8'],
      externalTrafficPolicy: 'Local',
      ports: [{ nodePort: 30_916 }],
    });
    const { metadata, spec } = made.one('Ingress');
    expect(spec).toMatchObject({
      ingressClassName: 'nginx',
      tls: [{ secretName: 'warden-tls' }],
      rules: [
        { host: 'warden.example.org', http: { paths: [{ path: '/', pathType: 'ImplementationSpecific', backend }] } },
      ],
    });
    const route = made.one('HTTPRoute');
    for (const { labels } of [metadata, route.metadata]) {
      expect(labels).toMatchObject({ team: 'graph', 'app.kubernetes.io/name': 'graphwarden' });
    }
    expect(route.spec).toMatchObject({
      parentRefs: [{ name: 'public' }],
      rules: [{ filters: [{ type: 'RequestHeaderModifier' }], backendRefs: [{ name: 'x-graphwarden', port: 9916 }] }],
    });
  },
  'high-availability': (made) => {
    const { spec } = made.one('Deployment');
    expect(spec).toMatchObject({
      replicas: 2,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    });
    const { pod } = daemonPod(made);
    expect(pod.topologySpreadConstraints).toMatchObject([
      {
        topologyKey: 'kubernetes.io/hostname',
        labelSelector: { matchLabels: { 'app.kubernetes.io/component': 'daemon' } },
      },
      { topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' },
    ]);
    expect(pod.volumes).toContainEqual({ name: 'state', emptyDir: {} });
    expect(made.has('PersistentVolumeClaim')).toBe(false);
    expect(made.one('PodDisruptionBudget').spec).toMatchObject({ maxUnavailable: 1 });
    const folder = '/etc/graphwarden/secrets';
    expect(parse(configFiles(made)[0] ?? '')).toMatchObject({
      state_url: 'postgres://graphwarden@postgres-0.postgres.db.svc,postgres-1.postgres.db.svc:5433/graphwarden',
      state_password_file: `${folder}/graphwarden-postgres/password`,
      web: { advertise_url: 'http://[${POD_IP}]:9916' },
      state_tls: {
        ca_file: `${folder}/postgres-ca/ca.crt`,
        cert_file: `${folder}/postgres-ca/tls.crt`,
        key_file: `${folder}/postgres-ca/tls.key`,
      },
    });
    const mounted = daemonPod(made).daemon.volumeMounts?.map(({ mountPath }) => mountPath);
    expect(mounted).toEqual(expect.arrayContaining([`${folder}/graphwarden-postgres`, `${folder}/postgres-ca`]));
    expect(JSON.stringify(made.one('NetworkPolicy').spec)).toContain(
      '"podSelector":{"matchLabels":{"app":"postgres"}}}],"ports":[{"port":5432,"protocol":"TCP"},{"port":5433,',
    );
  },
  availability: (made) => {
    expect(made.one('PodDisruptionBudget').spec).toMatchObject({
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    });
    expect(made.one('VerticalPodAutoscaler').spec).toMatchObject({
      targetRef: { kind: 'Deployment', name: 'x-graphwarden' },
      updatePolicy: { updateMode: 'Initial' },
    });
    expect(made.one('Pod').spec).toMatchObject({ containers: [{ name: 'check-config' }, { name: 'doctor' }] });
    expect(made.one('Job')).toMatchObject({
      metadata: { annotations: { 'helm.sh/hook': 'pre-install,pre-upgrade' } },
      spec: { backoffLimit: 0, activeDeadlineSeconds: 120 },
    });
  },
};
