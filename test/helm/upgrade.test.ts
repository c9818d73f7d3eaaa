import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { chartValues } from '../../tools/generate/chart/values.ts';
import { defaultsOf } from '../../tools/generate/chart/values-file.ts';
import { helm, manifestsIn, renderAll, rendering } from './chart.ts';
import { upgradeBreakages } from './upgrade.ts';

/** What earlier versions made of value files, and their values.yaml, as `keep.sh` there keeps them. */
const folder = 'test/golden/chart';
const versions = readdirSync(folder).filter((name) => /^\d/.test(name));
const earlier = versions.flatMap((version) =>
  readdirSync(`${folder}/${version}`).flatMap((name) =>
    name === 'values.yaml' ? [] : [{ version, file: name.replace('.yaml', '') }],
  ),
);

const otherName = { nameOverride: 'other', fullnameOverride: 'x-graphwarden' };
const otherNames = { fullnameOverride: 'other' };
const otherClaim = { persistence: { accessModes: ['ReadWriteOncePod'] } };

describe.skipIf(helm === undefined)('an upgrade', () => {
  beforeAll(() => renderAll([otherName, otherNames, otherClaim]));

  it('has earlier versions to compare', () => {
    expect(earlier.map(({ file }) => file)).toEqual(expect.arrayContaining(['defaults', 'sidecar-guard', 'storage']));
  });

  it.each(earlier)('from $version removes no object and changes no immutable field: $file', (one) => {
    const before = manifestsIn(readFileSync(`${folder}/${one.version}/${one.file}.yaml`, 'utf8'));
    expect(before.length).toBeGreaterThan(5);
    expect(upgradeBreakages(before, rendering({ file: one.file }).objects)).toEqual([]);
  });

  it('reports removed objects and changed immutable fields', () => {
    const { objects } = rendering({ file: 'defaults' });
    const other = rendering({ values: otherName }).objects;
    expect(upgradeBreakages(objects, other)).toEqual(['Deployment db/x-graphwarden changes selector']);
    const named = rendering({ values: otherNames }).objects;
    expect(upgradeBreakages(objects, named)).toContain('PersistentVolumeClaim db/x-graphwarden is gone');
    const stored = rendering({ values: otherClaim }).objects;
    expect(upgradeBreakages(objects, stored)).toEqual(['PersistentVolumeClaim db/x-graphwarden changes accessModes']);
  });
});

/** Keys that the changelog names as removed. */
const removed = [
  'prometheusRule.thresholds.delay_queue_pressure.waiting',
  'prometheusRule.thresholds.endpoint_timeouts.least_requests',
  'prometheusRule.thresholds.memory_near_abort.least_total',
  'prometheusRule.thresholds.service_not_online.passing_after',
];

describe('the values', () => {
  it.each(versions)('accept every key of version %s', (version) => {
    const known = paths(parse(readFileSync(`${folder}/${version}/values.yaml`, 'utf8')));
    const now = paths(defaultsOf(chartValues));
    expect(known.length).toBeGreaterThan(200);
    // A mapping that was empty may have keys now.
    const isKept = (key: string): boolean => now.some((one) => one === key || one.startsWith(`${key}.`));
    expect(known.filter((key) => !isKept(key) && !removed.includes(key))).toEqual([]);
  });
});

function paths(value: unknown, at = ''): readonly string[] {
  const mapping = z.record(z.string(), z.unknown()).safeParse(value);
  if (!mapping.success || Object.keys(mapping.data).length === 0) return [at];
  return Object.entries(mapping.data).flatMap(([key, inner]) => paths(inner, at === '' ? key : `${at}.${key}`));
}
