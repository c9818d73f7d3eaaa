import { describe, expect, it } from 'vitest';
import { collectorBlind } from '../../../src/alert/rules/collector-blind.ts';
import { collectors } from '../../../src/collect/all.ts';
import type { CollectorView } from '../../../src/model/situation.ts';
import { findings, firingIdentities, isKnown, situationWith, view, wall } from './rule-fixtures.ts';

function blind(more: Partial<CollectorView> = {}) {
  return view('queries', 'm1', {
    fresh: false,
    reason: 'timeout',
    message: 'no answer',
    lastSuccess: wall - 26_000,
    ...more,
  });
}

describe('collector_blind', () => {
  it.each([
    ['after more than five intervals', blind(), 1],
    ['after five intervals', blind({ lastSuccess: wall - 25_000 }), 0],
    ['for a collector with a longer interval', blind({ interval: 60_000 }), 0],
    ['for a collector with fresh data', blind({ fresh: true }), 0],
    ['after rejected credentials', blind({ reason: 'auth' }), 0],
    ['for an endpoint that the server had before', blind({ reason: 'unsupported' }), 1],
    ['for the liveness call', blind({ collector: 'health' }), 0],
  ])('has findings ($2) $0', (_, seen, count) => {
    expect(firingIdentities(collectorBlind, situationWith({}, { collectors: [seen] }))).toHaveLength(count);
  });

  it('states the collector, the node and the time without data', () => {
    const whole = blind({ collector: 'services', node: '', lastSuccess: wall - 120_000 });
    expect(findings(collectorBlind, situationWith({}, { collectors: [whole] }))).toEqual([
      {
        labels: { node: '', collector: 'services' },
        facts: { place: 'of the cluster', age: '2m', message: 'no answer' },
      },
    ]);
  });

  it('ignores collectors with a schedule, and counts from the start without a successful poll', () => {
    const { interval: _, ...calendar } = blind();
    const { lastSuccess: __, ...never } = blind({ dueSince: wall - 60_000, message: '', reason: '' });
    expect(firingIdentities(collectorBlind, situationWith({}, { collectors: [calendar] }))).toEqual([]);
    expect(findings(collectorBlind, situationWith({}, { collectors: [never] }))[0]?.facts.message).toBe(
      'it was not polled',
    );
    const { dueSince: ___, ...young } = never;
    expect(
      firingIdentities(collectorBlind, situationWith({}, { collectors: [{ ...young, dueSince: wall - 20_000 }] })),
    ).toEqual([]);
  });

  it.each([
    ['license', 0],
    ['workload_queues', 0],
    ['services', 1],
    ['queries', 1],
    ['custom_orders', 1],
  ])('ignores an endpoint that the server never had, unless every server has it: %s', (collector, count) => {
    const { lastSuccess: _, ...lacking } = blind({ collector, reason: 'unsupported', dueSince: wall - 60_000 });
    expect(firingIdentities(collectorBlind, situationWith({}, { collectors: [lacking] }))).toHaveLength(count);
  });

  it('expects collectors that exist', () => {
    const names =
      String(collectorBlind.twin)
        .match(/collector=~"([^"]+)"/)?.[1]
        ?.split('|') ?? [];
    expect(names.toSorted()).toEqual(['custom_.+', 'metrics', 'queries', 'services', 'statistics']);
    const known = collectors.map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining(names.filter((name) => name !== 'custom_.+')));
  });

  it('is unknown before the first poll', () => {
    const { lastSuccess: _, ...unasked } = blind({ reason: '' });
    const identity = { node: 'm1', collector: 'queries' };
    expect([isKnown(collectorBlind, blind(), identity), isKnown(collectorBlind, unasked, identity)]).toEqual([
      true,
      false,
    ]);
  });
});
