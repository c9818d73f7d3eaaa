import { describe, expect, it } from 'vitest';
import { NodeListCounter } from '../../../src/guard/recording/replay-results.ts';
import { at, epoch } from '../observations.ts';
import { listedAt } from './recordings.ts';

describe('node list counter', () => {
  it('counts lists by their result', () => {
    const notes = new NodeListCounter(['n1', 'n2']);
    notes.countEvent(listedAt(0));
    notes.countOutput({ kind: 'skipped', scope: 'entry', node: 'n1', reason: 'id' });
    notes.countOutput({ kind: 'skipped', scope: 'entry', node: 'n1', reason: 'id' });
    notes.countOutput({ kind: 'skipped', scope: 'entry', node: 'n1', reason: 'ages' });
    notes.countEvent(listedAt(5000));
    notes.countOutput({ kind: 'skipped', scope: 'node', node: 'n1', reason: 'duplicate_ids' });
    notes.countEvent({ event: 'unlisted', node: 'n2', at: at(6000), reason: 'timeout' });
    notes.countOutput({ kind: 'skipped', scope: 'node', node: 'n2', reason: 'failed' });
    notes.countOutput({ kind: 'skipped', scope: 'all', reason: 'clock_stepped' });
    expect(notes.all).toEqual([
      { node: 'n1', lists: 2, failed: 0, rejected: { duplicate_ids: 1 }, skipped: { id: 2, ages: 1 } },
      { node: 'n2', lists: 0, failed: 1, rejected: {}, skipped: {} },
    ]);
  });

  it('reports the first time at which a node is covered', () => {
    const notes = new NodeListCounter(['n1']);
    notes.countEvent(listedAt(5000));
    notes.countOutput({ kind: 'covered', node: 'n1', isCovered: true });
    notes.countEvent(listedAt(10_000));
    notes.countOutput({ kind: 'covered', node: 'n1', isCovered: false });
    notes.countOutput({ kind: 'covered', node: 'n1', isCovered: true });
    notes.countOutput({ kind: 'covered', node: 'n7', isCovered: true });
    expect(notes.all).toMatchObject([{ node: 'n1', coveredAt: epoch + 5000 }]);
  });

  it('ignores outputs and pressures that concern no list', () => {
    const notes = new NodeListCounter(['n1']);
    notes.countEvent({ event: 'gate_value', node: 'n1', at: at(0), source: 'node_cpu', interval: 1000 });
    notes.countOutput({ kind: 'wake', at: 1 });
    expect(notes.all).toEqual([{ node: 'n1', lists: 0, failed: 0, rejected: {}, skipped: {} }]);
  });
});
