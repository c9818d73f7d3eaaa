import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chartValues } from '../../generate/chart/values.ts';
import { fallbacks } from '../../generate/chart/values-file.ts';
import { helm, manifestsIn, rendering } from './chart.ts';
import { brokenBy } from './upgrade.ts';

const folder = 'test/golden/chart';
/**
 * What a released chart made of value files: VERSION-FILE.yaml, written by
 * `helm template x helm/graphwarden --namespace db --kube-version 1.35.0 --values helm/graphwarden/ci/FILE-values.yaml`.
 */
const renderings = readdirSync(folder).flatMap((name) => /^([\d.]+)-(.+)\.yaml$/.exec(name) ?? []);
const earlier = renderings.flatMap((name, at) => (at % 3 === 0 ? [{ name, file: renderings[at + 2] ?? '' }] : []));

describe.skipIf(helm === undefined)('an upgrade', () => {
  it('has something to come from', () => {
    expect(earlier.map(({ file }) => file)).toEqual(expect.arrayContaining(['defaults', 'sidecar-guard', 'storage']));
  });

  it.each(earlier)('from $name loses nothing and changes nothing that cannot be changed', ({ name, file }) => {
    const before = manifestsIn(readFileSync(`${folder}/${name}`, 'utf8'));
    expect(before.length).toBeGreaterThan(5);
    expect(brokenBy(before, rendering({ file }).objects)).toEqual([]);
  });

  it('would be found out', () => {
    const { objects } = rendering({ file: 'defaults' });
    const other = rendering({ values: { nameOverride: 'other', fullnameOverride: 'x-graphwarden' } }).objects;
    expect(brokenBy(objects, other)).toEqual(['Deployment db/x-graphwarden changes selector']);
    const named = rendering({ values: { fullnameOverride: 'other' } }).objects;
    expect(brokenBy(objects, named)).toContain('PersistentVolumeClaim db/x-graphwarden is gone');
    const stored = rendering({ values: { persistence: { accessModes: ['ReadWriteOncePod'] } } }).objects;
    expect(brokenBy(objects, stored)).toEqual(['PersistentVolumeClaim db/x-graphwarden changes accessModes']);
  });
});

describe('the values', () => {
  it('know every key that a released chart knew', () => {
    const known = z.array(z.string()).parse(JSON.parse(readFileSync(`${folder}/keys.json`, 'utf8')));
    expect(known.length).toBeGreaterThan(200);
    const now = new Set(paths(fallbacks(chartValues)));
    expect(known.filter((key) => !now.has(key))).toEqual([]);
  });
});

function paths(value: unknown, at = ''): readonly string[] {
  const mapping = z.record(z.string(), z.unknown()).safeParse(value);
  if (!mapping.success || Object.keys(mapping.data).length === 0) return [at];
  return Object.entries(mapping.data).flatMap(([key, inner]) => paths(inner, at === '' ? key : `${at}.${key}`));
}
