import { expect, it } from 'vitest';
import { rebuildFailed } from '../../../src/alert/rules/rebuild-failed.ts';
import { firingIdentities, situationWith } from './rule-fixtures.ts';

it('rebuild_failed › fires for the graphs whose last rebuild failed', () => {
  const situation = situationWith({
    graphdb_rebuild_success: [
      [{ graph: 'fraud' }, 0],
      [{ graph: 'social' }, 1],
      [{ graph: '"\n<b>' }, 0],
    ],
  });
  expect(firingIdentities(rebuildFailed, situation)).toEqual(['fraud', '"\n<b>']);
  expect(firingIdentities(rebuildFailed, situationWith({}))).toEqual([]);
});
