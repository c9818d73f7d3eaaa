import { describe, expect, it } from 'vitest';
import { nodeUnreachable, reachableTexts, unreachableTexts } from '../../../src/alert/rules/node-unreachable.ts';
import { findings, isKnown, minute, situationWith, view, wall } from './rule-fixtures.ts';

const up = { graphdb_up: [[{ node: 'm1' }, 1] as const, [{ node: 'm2' }, 0] as const] };
const refused = view('health', 'm2', {
  fresh: false,
  reason: 'unreachable',
  message: 'refused',
  lastSuccess: wall - minute,
});

describe('node_unreachable', () => {
  it('states the node, the reason and the start', () => {
    const situation = situationWith(up, { collectors: [view('health', 'm1'), refused] });
    expect(findings(nodeUnreachable, situation)).toEqual([
      { labels: { node: 'm2' }, facts: { reason: 'refused', since: '04:52:20 UTC', ...unreachableTexts } },
    ]);
  });

  it('does not call a node unreachable that refuses requests', () => {
    const samples = { ...up, graphdb_reachable: [[{ node: 'm2' }, 1] as const] };
    const failing = { ...refused, reason: 'status', message: 'the server responded with status 503' } as const;
    const situation = situationWith(samples, { collectors: [failing] });
    expect(findings(nodeUnreachable, situation)).toMatchObject([{ labels: { node: 'm2' }, facts: reachableTexts }]);
  });

  it('does not fire for nodes that answer', () => {
    expect(findings(nodeUnreachable, situationWith({ graphdb_up: [[{ node: 'm1' }, 1]] }))).toEqual([]);
  });

  it('is unknown before the first poll', () => {
    const { lastSuccess: _, ...unasked } = view('health', 'm2', { fresh: false });
    const identity = { node: 'm2' };
    expect([
      isKnown(nodeUnreachable, refused, identity),
      isKnown(nodeUnreachable, view('health', 'm2'), identity),
      isKnown(nodeUnreachable, unasked, identity),
    ]).toEqual([true, true, false]);
  });
});
