import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { daemonPod, helm, podOf, podSpec, rendering, valueFiles } from './chart.ts';
import { tidyDatabase } from './database.ts';
import { clustersOf, fragmentsOf, joined } from './fragments.ts';
import { podSecurityViolations } from './pod-security.ts';

describe('the «restricted» standard', () => {
  it('finds each violation', () => {
    const bad = podSpec.parse({
      hostNetwork: true,
      volumes: [{ name: 'disk', hostPath: { path: '/' } }],
      containers: [
        {
          name: 'c',
          image: 'i',
          ports: [{ name: 'p', containerPort: 1, hostPort: 1 }],
          securityContext: {
            privileged: true,
            runAsUser: 0,
            procMount: 'Unmasked',
            capabilities: { add: ['SYS_ADMIN'] },
          },
        },
      ],
    });
    expect(podSecurityViolations(bad)).toHaveLength(11);
    expect(podSecurityViolations(tidyDatabase)).toEqual([]);
  });
});

/** Containers of the user's own are the user's. */
function isOurs({ image }: { readonly image: string }): boolean {
  return image.includes('graphwarden');
}

describe.skipIf(helm === undefined).each(valueFiles)('with the values «%s», each pod', (file) => {
  it('fits it without overrides', () => {
    const made = rendering({ file });
    const daemon = daemonPod(made).pod;
    const hooks = made.objects.filter(({ kind }) => kind === 'Job').map(podOf);
    const pods = [
      ...made.objects.filter(({ kind }) => kind === 'Pod').map(({ spec }) => podSpec.parse(spec)),
      ...hooks,
    ];
    for (const pod of [daemon, ...pods]) {
      const ours = {
        ...pod,
        containers: pod.containers.filter(isOurs),
        initContainers: pod.initContainers.filter(isOurs),
      };
      expect(ours.containers.length).toBeGreaterThan(0);
      expect(podSecurityViolations(ours)).toEqual([]);
      expect(z.object({ automountServiceAccountToken: z.literal(false) }).safeParse(pod).success).toBe(true);
    }
    for (const cluster of clustersOf(made)) {
      const { statefulSet, kustomize, operator } = fragmentsOf(made, cluster);
      for (const fragment of [statefulSet, kustomize, operator]) {
        expect(podSecurityViolations(joined(tidyDatabase, fragment))).toEqual([]);
      }
    }
  });
});
