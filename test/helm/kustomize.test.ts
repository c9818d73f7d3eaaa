import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findTool } from '../support/tools.ts';
import { helm, manifestsIn, type PodSpec, podOf, rendering } from './chart.ts';
import { statefulSet, tidyDatabase } from './database.ts';
import { clustersOf } from './fragments.ts';

const kustomize = findTool('kustomize');
const database: PodSpec = {
  ...tidyDatabase,
  initContainers: [{ name: 'prepare', image: 'example.org/prepare:1' }],
  volumes: [{ name: 'data', emptyDir: {} }],
};

/** What kustomize makes of a StatefulSet and the component for a cluster. */
function built(component: string, name: string): PodSpec {
  const folder = mkdtempSync(join(tmpdir(), 'graphwarden-kustomize-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = {
    'database/set.yaml': statefulSet(database, name),
    'database/kustomization.yaml': 'resources: [set.yaml]\n',
    'sidecar/kustomization.yaml': component,
    'kustomization.yaml': 'resources: [database]\ncomponents: [sidecar]\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { stdout, stderr, status } = spawnSync(kustomize ?? '', ['build', folder], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const [set] = manifestsIn(stdout);
  if (set === undefined) throw new Error('kustomize built nothing');
  expect(set).toMatchObject({ kind: 'StatefulSet', metadata: { name } });
  return podOf(set);
}

function isNotOurs({ name }: { readonly name: string }): boolean {
  return !name.startsWith('graphwarden');
}

describe.skipIf([helm, kustomize].includes(undefined))('the component for kustomize', () => {
  it.each([
    ['sidecar', 'graph', 'graph'],
    ['sidecar-guard', 'prod', 'prod-db'],
    ['sidecar-container', 'test', 'test'],
  ])('adds the sidecar to the pod of the database without other changes: %s', (file, cluster, name) => {
    const made = rendering({ file });
    expect(clustersOf(made)).toContain(cluster);
    const { data = {} } = made.one('ConfigMap', `x-graphwarden-${cluster}-fragments`);
    const pod = built(data['kustomization.yaml'] ?? '', name);
    const ours = [...pod.initContainers, ...pod.containers].filter((container) => container.name === 'graphwarden');
    expect(ours).toHaveLength(1);
    expect({
      ...pod,
      initContainers: pod.initContainers.filter(isNotOurs),
      containers: pod.containers.filter(isNotOurs),
      volumes: pod.volumes.filter(isNotOurs),
    }).toEqual(database);
    const mounted = ours.flatMap(({ volumeMounts = [] }) => volumeMounts.map((mount) => mount.name));
    expect(pod.volumes.map((volume) => volume.name)).toEqual(expect.arrayContaining(mounted));
  });
});
