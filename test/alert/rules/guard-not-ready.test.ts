import { describe, expect, it } from 'vitest';
import { guardNotReady } from '../../../src/alert/rules/guard-not-ready.ts';
import type { NotReadyView } from '../../../src/model/guard.ts';
import { notReadyReasons } from '../../../src/model/not-ready.ts';
import { guarded } from './guard-fixtures.ts';
import { findings, minute, situationWith, wall } from './rule-fixtures.ts';

function findingFor(changes: Partial<NotReadyView>) {
  const gap = { node: 'm1', reasons: ['not_covered'], policies: ['runaway'], since: wall - minute, ...changes };
  const [finding] = findings(guardNotReady, guarded({ notReady: [gap] }));
  return finding ?? expect.fail('no finding');
}

describe('an enforcing policy that cannot act', () => {
  it('is reported with the node, the start and the reason', () => {
    expect(findingFor({})).toEqual({
      labels: { node: 'm1' },
      facts: {
        where: 'on m1 of prod',
        when: '2026-09-22 04:52:20 UTC',
        policies: 'the policy runaway',
        why: 'its query server instance is unknown, or another node reports the same one',
      },
      since: wall - minute,
    });
  });

  it('is one alert for all nodes of a cluster, and for all policies', () => {
    const { labels, facts } = findingFor({
      node: '',
      policies: ['a', 'b'],
      reasons: ['graphs_unknown', 'collector_off'],
    });
    expect(labels).toEqual({ node: '' });
    expect(facts).toMatchObject({
      where: 'on any node of prod',
      policies: 'the policies a, b',
      why: 'the names of the graphs could not be read; the collector queries is disabled',
    });
  });

  it('has a text for each reason that no other rule reports', () => {
    const others = ['paused', 'state_not_durable', 'list_failed', 'credential_refused', 'breaker_open', 'gate_unknown'];
    const own = notReadyReasons.filter((reason) => !others.includes(reason));
    expect(own.filter((reason) => findingFor({ reasons: [reason] }).facts.why === reason)).toEqual([]);
    expect(own.filter((reason) => !guardNotReady.twin?.includes(reason))).toEqual([]);
    expect(others.filter((reason) => guardNotReady.twin?.includes(`"${reason}"`))).toEqual([]);
  });

  it('is not reported without a guard, or while all policies can act', () => {
    expect(findings(guardNotReady, situationWith({}))).toEqual([]);
    expect(findings(guardNotReady, guarded())).toEqual([]);
  });
});
