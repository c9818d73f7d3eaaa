import { expect, it } from 'vitest';
import { probeSchema } from '../../src/api/probes.ts';
import { probeKinds } from '../../src/collect/probes/kinds/all.ts';
import { probeTaskKinds } from '../../src/model/probe.ts';
import { describeObject } from './object-cases.ts';

describeObject('probe', probeSchema, [
  { kind: 'ping' },
  { state: 'old' },
  { reason: 'broken' },
  { phases: { waiting: 1 } },
  { phases: { queue: 'long' } },
  { successRatio: 1.1 },
  { runs: -1 },
  { lastRun: '' },
]);

it('the kinds of the API are those of the configuration', () => {
  expect(probeTaskKinds).toEqual(probeKinds.map(({ name }) => name));
});
