import { describe, expect, it } from 'vitest';
import { type CollectorReport, collectorSchema } from '../../../src/api/clusters.ts';
import { missingLists } from '../../../src/cli/commands/queries.ts';
import { exampleOf } from '../../api/object-cases.ts';

function report(change: Partial<CollectorReport>): CollectorReport {
  return { ...collectorSchema.parse(exampleOf(collectorSchema)), ...change };
}

describe('missing lists', () => {
  it('are those of collectors that are not healthy', () => {
    const reports = [
      report({ node: 'm1', state: 'healthy' }),
      report({ node: 'm2', state: 'failing', reason: 'timeout' }),
      report({ node: 'm3', state: 'unknown' }),
    ];
    expect(missingLists(reports, 'queries')).toEqual(['m2 (queries: timeout)', 'm3 (queries: not polled yet)']);
  });

  it('name the cluster if there are several', () => {
    const reports = ['prod', 'test'].map((cluster) =>
      report({ cluster, node: 'm1', state: 'failing', reason: 'timeout' }),
    );
    expect(missingLists(reports, 'queries')).toEqual(['prod/m1 (queries: timeout)', 'test/m1 (queries: timeout)']);
  });

  it('are all lists if no collector polls them', () => {
    expect(missingLists([], 'queries')).toEqual(['queries (not polled by this daemon)']);
  });
});
