import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { daemonConfig, helm, renderAll, rendering } from './chart.ts';

const withState = z.looseObject({ state: z.unknown().optional() });
const sizes: readonly (readonly [persistence: object, size: string | undefined])[] = [
  [{}, '1638MiB'],
  [{ size: '1Gi' }, '409MiB'],
  [{ size: '10Gi' }, undefined],
  [{ existingClaim: 'c' }, undefined],
  [{ enabled: false }, '128MiB'],
];

describe.skipIf(helm === undefined)('the size limit of the state', () => {
  beforeAll(() => renderAll(sizes.map(([persistence]) => ({ persistence }))));

  it.each(sizes)('lets the state fit twice into its volume: %j', (persistence, size) => {
    const { state } = withState.parse(daemonConfig(rendering({ values: { persistence } })));
    expect(state).toEqual(size && { retention: { size } });
  });
});
