import { expect, it } from 'vitest';
import { LimitLog } from '../../../src/app/poll/limit-log.ts';
import { graphSizes } from '../../../src/collect/graph-sizes.ts';
import { health } from '../../../src/collect/health.ts';
import { ok } from '../../../src/kernel/result.ts';
import { failed } from '../../support/fake-graphdb.ts';
import { recordingLogger } from '../../support/logger.ts';
import { pollEnd } from '../../support/poll-results.ts';

function receiver() {
  const log = recordingLogger();
  const values = new Map<string, number>();
  const limits = new LimitLog(log, {
    facts: (_, family) => [values.get(family)].flatMap((value) => (value === undefined ? [] : [{ labels: {}, value }])),
  });
  const receive = (result: ReturnType<typeof failed> | ReturnType<typeof ok> = ok(1), definition = graphSizes) => {
    const feed = { cluster: 'prod', collector: definition.name, node: '', definition, labels: {}, passthrough: false };
    limits.onPollResult(feed, { result, source: 'm1', started: pollEnd, ended: pollEnd });
  };
  return { limits, values, receive, lines: () => log.lines.map(({ message, fields }) => [message, fields]) };
}

const metric = 'graphdb_graphs_uncounted';
const target = { cluster: 'prod', collector: 'graph_sizes', node: '', metric };

it('a limit is logged when it begins to drop series, and when it ends', () => {
  const { values, receive, lines } = receiver();
  for (const value of [0, 5, 7, 7, 0, 0]) {
    values.set(metric, value);
    receive();
  }
  expect(lines()).toEqual([
    ['collector limit reached', { ...target, dropped: 5 }],
    ['collector limit no longer reached', target],
  ]);
});

it('a limit is not logged for a failed poll, or for a collector without limits', () => {
  const { limits, values, receive, lines } = receiver();
  values.set(metric, 5);
  receive();
  values.delete(metric);
  receive(failed('timeout'));
  receive(ok(1), health);
  expect(lines()).toHaveLength(1);
  limits.forget('other');
  values.set(metric, 5);
  receive();
  expect(lines()).toHaveLength(1);
  limits.forget('prod');
  receive();
  expect(lines()).toHaveLength(2);
});
