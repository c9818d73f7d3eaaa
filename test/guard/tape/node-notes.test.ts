import { describe, expect, it } from 'vitest';
import { NodeNotes } from '../../../src/guard/tape/node-notes.ts';
import { at, epoch } from '../listed.ts';
import { listedAt } from './tapes.ts';

describe('notes on nodes', () => {
  it('count what lists were good for', () => {
    const notes = new NodeNotes(['n1', 'n2']);
    notes.heard(listedAt(0));
    notes.told({ kind: 'void', scope: 'entry', node: 'n1', reason: 'id' });
    notes.told({ kind: 'void', scope: 'entry', node: 'n1', reason: 'id' });
    notes.told({ kind: 'void', scope: 'entry', node: 'n1', reason: 'ages' });
    notes.heard(listedAt(5000));
    notes.told({ kind: 'void', scope: 'node', node: 'n1', reason: 'duplicate_ids' });
    notes.heard({ event: 'unlisted', node: 'n2', at: at(6000), reason: 'timeout' });
    notes.told({ kind: 'void', scope: 'node', node: 'n2', reason: 'failed' });
    notes.told({ kind: 'void', scope: 'all', reason: 'clock_stepped' });
    expect(notes.all).toEqual([
      { node: 'n1', lists: 2, failed: 0, voids: { duplicate_ids: 1 }, leftOut: { id: 2, ages: 1 } },
      { node: 'n2', lists: 0, failed: 1, voids: {}, leftOut: {} },
    ]);
  });

  it('tell since when a node is covered, by the first time', () => {
    const notes = new NodeNotes(['n1']);
    notes.heard(listedAt(5000));
    notes.told({ kind: 'covered', node: 'n1', isCovered: true });
    notes.heard(listedAt(10_000));
    notes.told({ kind: 'covered', node: 'n1', isCovered: false });
    notes.told({ kind: 'covered', node: 'n1', isCovered: true });
    notes.told({ kind: 'covered', node: 'n7', isCovered: true });
    expect(notes.all).toMatchObject([{ node: 'n1', coveredAt: epoch + 5000 }]);
  });

  it('pass over what says nothing of lists, and pressures that are no lists', () => {
    const notes = new NodeNotes(['n1']);
    notes.heard({ event: 'pressed', node: 'n1', at: at(0), source: 'node_cpu', interval: 1000 });
    notes.told({ kind: 'wake', at: 1 });
    expect(notes.all).toEqual([{ node: 'n1', lists: 0, failed: 0, voids: {}, leftOut: {} }]);
  });
});
