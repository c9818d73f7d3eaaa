import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { guideBlocks } from '../support/guide.ts';
import { daemonPod, helm, podSpec, rendering } from './chart.ts';
import { podSecurityViolations } from './pod-security.ts';

const [manifest = ''] = guideBlocks('docs/install/upgrade.md', 'Chart', 'yaml');
const [, commands = ''] = guideBlocks('docs/install/upgrade.md', 'Chart');
const withUser = z.looseObject({ securityContext: z.looseObject({ runAsUser: z.number(), fsGroup: z.number() }) });

function claimsOf(volumes: readonly object[]): readonly object[] {
  return volumes.filter((volume) => 'persistentVolumeClaim' in volume);
}

it.skipIf(helm === undefined)('the pod of the guide that restores a state meets the restricted standard', () => {
  const { kind, metadata, spec } = parse(manifest);
  const pod = podSpec.parse(spec);
  expect(kind).toBe('Pod');
  expect(podSecurityViolations(pod)).toEqual([]);
  // The guide calls the release `warden`.
  const { pod: daemonsPod, daemon } = daemonPod(rendering({ values: { fullnameOverride: 'warden-graphwarden' } }));
  expect(claimsOf(pod.volumes)).toEqual(claimsOf(daemonsPod.volumes));
  const { runAsUser, fsGroup } = withUser.parse(daemonsPod).securityContext;
  expect(withUser.parse(spec).securityContext).toMatchObject({ runAsUser, fsGroup });
  const [state] = daemon.volumeMounts ?? [];
  expect(pod.containers[0]?.volumeMounts).toContainEqual(state);
  expect(commands).toContain(`pod/${metadata.name}\n`);
});
