import { expect, it } from 'vitest';
import { rebuildSlow } from '../../../src/alert/rules/rebuild-slow.ts';
import { findings, situationWith } from './rule-fixtures.ts';

it.each([
  [3600, []],
  [3601, [{ labels: { graph: 'fraud' }, facts: { duration: '1h' } }]],
  [5400, [{ labels: { graph: 'fraud' }, facts: { duration: '1h 30m' } }]],
])('rebuild_slow › a rebuild of %d s', (duration, expected) => {
  const situation = situationWith({ graphdb_rebuild_duration_seconds: [[{ graph: 'fraud' }, duration]] });
  expect(findings(rebuildSlow, situation)).toEqual(expected);
});
