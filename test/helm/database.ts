import { stringify } from 'yaml';
import type { PodSpec } from './chart.ts';
import { podSpec } from './chart.ts';

/** A pod of a database that linters have nothing to say against, so that what they find is the sidecar's. */
export const tidyDatabase: PodSpec = podSpec.parse({
  automountServiceAccountToken: false,
  securityContext: { runAsNonRoot: true, runAsUser: 20_000, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [
    {
      name: 'database',
      image: 'example.org/database:1.0.0',
      resources: { requests: { cpu: '8', memory: '64Gi' }, limits: { cpu: '8', memory: '64Gi' } },
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    },
  ],
});

/** A StatefulSet around a pod. */
export function statefulSet(spec: PodSpec, name = 'graph'): string {
  const labels = { app: 'graph' };
  return stringify({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace: 'db' },
    spec: {
      serviceName: 'graph',
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  });
}
