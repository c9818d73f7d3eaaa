import { beforeAll, describe, expect, it } from 'vitest';
import { allValues, alternativeValues } from './all-values.ts';
import { helm, helmRender, renderAll, rendering, template } from './chart.ts';
import { odd, refused } from './odd-cases.ts';

/** What the API server says of the same values is in `test/cluster/odd-values.test.ts`. */
describe.skipIf(helm === undefined)('odd values', () => {
  beforeAll(() => {
    renderAll([...odd, ...refused.map(([values]) => values)]);
  });

  it('are accepted if Kubernetes accepts them', () => {
    for (const values of odd) expect(template({ values }).error, JSON.stringify(values)).toBe('');
  });

  it.each(refused.map(([values, says]) => [JSON.stringify(values), says, values] as const))(
    'are rejected if Kubernetes rejects them: %s',
    (_, says, values) => {
      const { text, error } = template({ values });
      expect(error).toContain(says);
      expect(text).toBe('');
    },
  );
});

describe.skipIf(helmRender === undefined)('an additional object', () => {
  const sets = [allValues, ...alternativeValues, { mode: 'sidecar', podMonitor: { enabled: true, namespace: 'b' } }];

  it('cannot have the kind and name of any object of the release', () => {
    renderAll(sets);
    const valid = sets.filter((values) => template({ values }).error === '');
    expect(valid.length).toBeGreaterThan(5);
    const copies = valid.map((values) => ({
      values,
      manifests: rendering({ values }).objects.map(({ apiVersion, kind, metadata: { name, namespace } }) => ({
        apiVersion,
        kind,
        metadata: { name, namespace: namespace ?? 'db' },
      })),
    }));
    const doubled = copies.map(({ values, manifests }) => ({ ...values, extraManifests: manifests }));
    renderAll(doubled);
    for (const [at, values] of doubled.entries()) {
      const count = copies[at]?.manifests.length ?? 0;
      expect(count).toBeGreaterThan(2);
      expect(template({ values }).error.match(/extraManifests\[\d+\]: the release has/g)).toHaveLength(count);
    }
  });

  it('can have the name of an object of the release in another namespace, or with another kind', () => {
    const metadata = { name: 'x-graphwarden' };
    const manifests = [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, namespace: 'other' } },
      { apiVersion: 'v1', kind: 'Service', metadata },
    ];
    expect(template({ values: { extraManifests: manifests } }).error).toBe('');
  });
});
