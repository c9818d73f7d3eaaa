import { describe, expect, it } from 'vitest';
import { helm, podSpec, rendering, valueFiles } from './chart.ts';
import { clustersOf, fragmentsOf, joined, qosOf, sidecarsOf } from './fragments.ts';

const files = valueFiles.filter((file) => file.startsWith('sidecar'));
const image = 'example.org/database:1';

/** A pod of a database, with resources as its owner likes them. */
function database(resources: unknown) {
  return podSpec.parse({ containers: [{ name: 'database', image, resources }] });
}

describe.skipIf(helm === undefined).each(files)('with the values «%s», a sidecar', (file) => {
  const sidecars = helm === undefined ? [] : sidecarsOf(rendering({ file }));

  it('exists in every form', () => {
    expect(sidecars.length).toBeGreaterThanOrEqual(3);
  });

  it('cannot prevent the start of the database', () => {
    for (const sidecar of sidecars) {
      expect(sidecar).not.toHaveProperty('startupProbe');
      expect(sidecar).not.toHaveProperty('lifecycle');
      expect(sidecar.imagePullPolicy).toBe('IfNotPresent');
      // What ends is not ready: it goes on where it cannot start, and says why.
      expect(sidecar.args).toContain('--keep-trying');
    }
    const made = rendering({ file });
    for (const cluster of clustersOf(made)) {
      const { statefulSet, operator } = fragmentsOf(made, cluster);
      // A native sidecar goes on; an init container without this would have to end first.
      for (const { restartPolicy } of statefulSet.initContainers) expect(restartPolicy).toBe('Always');
      const wanted = [...statefulSet.volumes, ...operator.volumes].flatMap(
        ({ configMap, secret }) => configMap ?? secret ?? [],
      );
      expect(wanted.length).toBeGreaterThan(0);
      for (const volume of wanted) expect(volume).toMatchObject({ optional: true });
    }
  });

  it('does not affect the readiness of the database, and has no probe that depends on it', () => {
    for (const sidecar of sidecars) {
      expect(sidecar).not.toHaveProperty('readinessProbe');
      const { livenessProbe = { httpGet: { path: '/-/healthy' } } } = sidecar;
      expect(livenessProbe).toMatchObject({ httpGet: { path: '/-/healthy' } });
    }
  });

  it('cannot cause an eviction of the pod of the database by its writes', () => {
    for (const { resources } of sidecars) expect(resources?.limits ?? {}).not.toHaveProperty('ephemeral-storage');
    expect(JSON.stringify(rendering({ file }).objects)).not.toContain('sizeLimit');
  });

  it('meets the «restricted» standard by itself, for any pod', () => {
    for (const { securityContext } of sidecars) {
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
        seccompProfile: { type: 'RuntimeDefault' },
      });
    }
  });
});

describe.skipIf(helm === undefined)('the pod of a database with a sidecar', () => {
  const equal = { cpu: '8', memory: '64Gi' };
  const guaranteed = database({ requests: equal, limits: equal });
  const burstable = database({ requests: equal });
  const bestEffort = database({});

  it('has its QoS class', () => {
    expect([guaranteed, burstable, bestEffort].map(qosOf)).toEqual(['Guaranteed', 'Burstable', 'BestEffort']);
  });

  it.each([
    ['sidecar', guaranteed],
    ['sidecar', burstable],
    ['sidecar-guard', guaranteed],
    ['sidecar-best-effort', bestEffort],
  ])('keeps its class: %s', (file, pod) => {
    const made = rendering({ file });
    for (const cluster of clustersOf(made)) {
      const { statefulSet, kustomize, operator } = fragmentsOf(made, cluster);
      for (const fragment of [statefulSet, kustomize, operator]) expect(qosOf(joined(pod, fragment))).toBe(qosOf(pod));
    }
  });

  it('remains Burstable with a Burstable sidecar', () => {
    const { statefulSet } = fragmentsOf(rendering({ file: 'sidecar-container' }), 'prod');
    expect(qosOf(joined(burstable, statefulSet))).toBe('Burstable');
    // Beside a Guaranteed database it would not: the values have to say so, and the chart refuses them.
    expect(qosOf(joined(guaranteed, statefulSet))).toBe('Burstable');
  });
});

describe.skipIf(helm === undefined)('the sidecar of an older Kubernetes', () => {
  it('is an ordinary container, because a native one would be waited for', () => {
    const { statefulSet } = fragmentsOf(rendering({ file: 'sidecar', kubernetes: '1.28.9' }), 'graph');
    expect(statefulSet.initContainers).toEqual([]);
    expect(statefulSet.containers).toMatchObject([{ name: 'graphwarden' }]);
    expect(statefulSet.containers[0]).not.toHaveProperty('restartPolicy');
  });

  it('is native from 1.29 on', () => {
    const { statefulSet } = fragmentsOf(rendering({ file: 'sidecar', kubernetes: '1.29.0' }), 'graph');
    expect(statefulSet.initContainers).toMatchObject([{ restartPolicy: 'Always' }]);
  });
});

describe.skipIf(helm === undefined)('the sidecar from a registry with a password', () => {
  it('has the names of its Secrets, since a pod whose image cannot be pulled does not start', () => {
    const imagePullSecrets = [{ name: 'regcred' }];
    const { statefulSet, kustomize } = fragmentsOf(
      rendering({ values: { mode: 'sidecar', imagePullSecrets } }),
      'graph',
    );
    for (const pod of [statefulSet, kustomize]) expect(pod).toMatchObject({ imagePullSecrets });
    const shared = fragmentsOf(
      rendering({ values: { mode: 'sidecar', global: { imagePullSecrets: ['regcred'] } } }),
      'graph',
    );
    expect(shared.statefulSet).toMatchObject({ imagePullSecrets });
    const none = fragmentsOf(rendering({ values: { mode: 'sidecar' } }), 'graph');
    expect(none.statefulSet).not.toHaveProperty('imagePullSecrets');
  });
});

describe.skipIf(helm === undefined)('the sidecar of a node in a list', () => {
  it('probes with the scheme and the port of the service', () => {
    const service = { scheme: 'https', port: 8443, namespace: 'graphs' };
    const nodes = [{ name: 'm1', url: 'https://m1.example.org:8443' }];
    const clusters = [{ name: 'prod', nodes, service, tls: { serverName: 'graph.example.org' } }];
    const { data, metadata } = rendering({ values: { mode: 'sidecar', clusters } }).one(
      'ConfigMap',
      'x-graphwarden-prod',
    );
    expect(data?.['graphwarden.yml']).toContain('url: https://127.0.0.1:8443');
    expect(metadata.namespace).toBe('graphs');
  });
});
