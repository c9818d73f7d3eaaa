import { describe, expect, it } from 'vitest';
import { AgeHistograms, queryAgeMetrics, seriesPerQueryName } from '../../../src/app/page/query-ages.ts';
import type { ListedQuery } from '../../../src/model/query.ts';
import { type EndedQuery, queryOutcomes } from '../../../src/trace/query-tracking.ts';

const at = { wall: 5000, mono: 5000 };

function query(age: number | undefined, more: Partial<ListedQuery> = {}): ListedQuery {
  const listed = { state: 'running', id: 'a', graph: 'fraud', query: 'ring_scan', kind: 'installed', ...more } as const;
  return { ...listed, ...(age === undefined ? {} : { age: age * 1000 }) };
}

function ended(of: ListedQuery): EndedQuery {
  return { query: of, firstSeen: at, lastSeen: at, missedAt: at, isEndUnknown: false, outcome: 'ended' };
}

function yes(): boolean {
  return true;
}

function no(): boolean {
  return false;
}

/** `graph|query count` of what ended by itself. */
function counts(histograms: AgeHistograms): readonly string[] {
  const found = histograms.samples(at).filter(({ part, labels }) => part === '_count' && labels.outcome === 'ended');
  return found.map(({ labels: { graph, query: name }, value }) => `${graph}|${name} ${value}`);
}

describe('the durations of the queries of a node', () => {
  it('have a fixed number of series per name', () => {
    const histograms = new AgeHistograms('m1');
    expect(histograms.samples(at)).toEqual([]);
    histograms.recordListed(query(10), yes);
    expect(histograms.samples(at)).toHaveLength(seriesPerQueryName / queryOutcomes.length);
    expect(new Set(histograms.samples(at).map(({ metric }) => metric))).toEqual(new Set(queryAgeMetrics));
    expect(new Set(histograms.samples(at).map(({ labels }) => labels.node))).toEqual(new Set(['m1']));
  });

  it('have further series for another outcome from its first query on: 0 for a minute, then the query', () => {
    const histograms = new AgeHistograms('m1');
    histograms.recordListed(query(10), yes);
    histograms.recordEnded({ ...ended(query(20)), outcome: 'aborted' }, undefined);
    const countAt = (mono: number): readonly (readonly [string | undefined, number])[] =>
      histograms
        .samples({ wall: 0, mono })
        .filter(({ part }) => part === '_count')
        .map(({ labels: { outcome }, value }) => [outcome, value]);
    expect(countAt(5000)).toEqual([
      ['ended', 0],
      ['aborted', 0],
    ]);
    expect(countAt(64_999).at(-1)).toEqual(['aborted', 0]);
    expect(countAt(65_000).at(-1)).toEqual(['aborted', 1]);
  });

  it('have the name of a query from ten seconds on, up to the limit of names, and keep it', () => {
    const histograms = new AgeHistograms('m1');
    histograms.recordListed(query(9.9), yes);
    expect([histograms.names, counts(histograms)]).toEqual([0, ['|other 0']]);
    histograms.recordListed(query(10), no);
    expect(histograms.names).toBe(0);
    histograms.recordListed(query(10), yes);
    expect(histograms.names).toBe(1);
    histograms.recordEnded(ended(query(1)), undefined);
    expect(counts(histograms)).toEqual(['|other 0', 'fraud|ring_scan 1']);
  });

  it('have the kind of a query that is not installed, and omit a query without an age', () => {
    const histograms = new AgeHistograms('m1');
    histograms.recordListed(query(undefined), yes);
    histograms.recordEnded(ended(query(undefined)), undefined);
    expect(histograms.samples(at)).toEqual([]);
    histograms.recordListed(query(20, { kind: 'interpreted', query: 'SELECT secret' }), yes);
    expect(counts(histograms)).toEqual(['fraud|interpreted 0']);
  });

  it('have no duplicate series for a query with the name of the remaining queries', () => {
    const histograms = new AgeHistograms('m1');
    histograms.recordListed(query(20, { graph: '', query: 'other' }), yes);
    histograms.recordListed(query(5), yes);
    expect(counts(histograms)).toEqual(['|other 0']);
    expect(histograms.names).toBe(0);
  });

  it('are the same list until a query is counted or named', () => {
    const histograms = new AgeHistograms('m1');
    histograms.recordListed(query(10), yes);
    const before = histograms.samples(at);
    histograms.recordListed(query(15), yes);
    expect(histograms.samples(at)).toBe(before);
    histograms.recordEnded(ended(query(15)), undefined);
    const after = histograms.samples(at);
    expect(after).not.toBe(before);
    histograms.recordListed(query(15, { graph: 'social' }), yes);
    expect(histograms.samples(at)).not.toBe(after);
  });
});
