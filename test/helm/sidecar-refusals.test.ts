import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../tools/generate/chart/value.ts';
import { helm, renderAll, rendering, template } from './chart.ts';

function valuesOf(sidecar: Json): Json {
  return { mode: 'sidecar', sidecar };
}

const secretKeyRef = { name: 'mine', key: 'token' };
const refused: readonly (readonly [what: string, sidecar: Json, advice: RegExp])[] = [
  ['a claim', { stateVolume: { persistentVolumeClaim: { claimName: 'w' } } }, /Remove it;.*stateVolumeName/],
  ['an eviction', { stateVolume: { emptyDir: { sizeLimit: '1Gi' } } }, /stateVolume:.*Remove it/],
  ['memory', { stateVolume: { emptyDir: { medium: 'Memory' } } }, /stateVolume:.*Remove it/],
  ['two volumes for the state', { stateVolume: { emptyDir: {} }, stateVolumeName: 'data' }, /has a volume already/],
  ['a Secret as a volume', { extraVolumes: [{ name: 'ca', secret: { secretName: 'ca' } }] }, /ca has to be there/],
  ['a ConfigMap as a volume', { extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }] }, /optional: true/],
  [
    'one that is said not to be',
    { extraVolumes: [{ name: 'a', secret: { secretName: 'a', optional: false } }] },
    /optional: true/,
  ],
  [
    'a projection of a Secret',
    { extraVolumes: [{ name: 'ca', projected: { sources: [{ secret: { name: 'ca' } }] } }] },
    /ca has to be there/,
  ],
  ['a claim as a volume', { extraVolumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'd' } }] }, /d has to be/],
  ['a size', { extraVolumes: [{ name: 'd', emptyDir: { sizeLimit: '1Mi' } }] }, /without sizeLimit/],
  ['a Secret in the environment', { extraEnv: [{ name: 'A', valueFrom: { secretKeyRef } }] }, /secretKeyRef of A/],
  ['a ConfigMap there', { extraEnv: [{ name: 'A', valueFrom: { configMapKeyRef: secretKeyRef } }] }, /Set optional/],
  ['a probe of its own', { livenessProbe: { httpGet: { path: '/', port: 14240 } } }, /Remove httpGet/],
  ['a probe by a program', { livenessProbe: { exec: { command: ['true'] } } }, /Remove exec/],
  ['a word that it does not know', { extraArgs: ['--nope'] }, /--nope is no argument/],
];

describe.skipIf(helm === undefined)('a volume that could prevent the start of the database', () => {
  beforeAll(() => renderAll(refused.map(([, sidecar]) => valuesOf(sidecar))));

  it.each(refused)('is rejected with a remedy: %s', (_, sidecar, advice) => {
    const { error } = template({ values: valuesOf(sidecar) });
    expect(error.replaceAll('\n', ' ')).toMatch(advice);
  });

  it('is not an optional or generated volume', () => {
    const sources = [{ secret: { name: 'ca', optional: true } }, { serviceAccountToken: { path: 'token' } }];
    const sidecar = {
      stateVolume: { emptyDir: {} },
      extraVolumes: [
        { name: 'ca', secret: { secretName: 'ca', optional: true } },
        { name: 'all', projected: { sources } },
        { name: 'scratch', emptyDir: {} },
      ],
      extraEnv: [{ name: 'A', valueFrom: { secretKeyRef: { ...secretKeyRef, optional: true } } }],
      extraArgs: ['--config=/etc/mine/graphwarden.yml'],
    };
    expect(rendering({ values: valuesOf(sidecar) }).has('ConfigMap')).toBe(true);
  });
});
