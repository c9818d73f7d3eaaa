import { expect, it } from 'vitest';
import { abortSpans, type TracedAbort } from '../../src/trace/action-spans.ts';
import { completedCall } from '../support/completed-call.ts';

const context = { traceId: 'a'.repeat(32), spanId: '1'.repeat(16) };
const links = [{ traceId: 'c'.repeat(32), spanId: '2'.repeat(16) }];
const abort: TracedAbort = {
  context,
  cluster: 'prod',
  node: 'm1',
  started: { wall: 1_790_000_000_000, mono: 0 },
  ended: { wall: 1_790_000_000_300, mono: 300 },
  outcome: 'accepted',
  links,
  call: { context: { ...context, spanId: '3'.repeat(16) }, made: { ...completedCall, name: 'abort' } },
};

it('an abort is a separate trace with its causes and its one call', () => {
  const [root, call, ...others] = abortSpans(abort);
  expect(others).toEqual([]);
  expect(root).toEqual({
    ...context,
    name: 'abort query',
    kind: 'internal',
    start: 1_790_000_000_000,
    end: 1_790_000_000_300,
    attributes: { 'graphwarden.cluster': 'prod', 'graphwarden.node': 'm1', 'graphwarden.outcome': 'accepted' },
    events: [],
    links,
  });
  expect(call).toMatchObject({
    traceId: context.traceId,
    spanId: '3'.repeat(16),
    parentId: context.spanId,
    kind: 'client',
    start: 1_790_000_000_010,
  });
});

it.each(['refused', 'lost', 'unsent'] as const)('an abort that was %s is in error', (outcome) => {
  const { call: _, ...unsent } = abort;
  const spans = abortSpans({ ...(outcome === 'unsent' ? unsent : abort), outcome });
  expect(spans).toHaveLength(outcome === 'unsent' ? 1 : 2);
  expect(spans[0]).toMatchObject({ error: outcome, attributes: { 'graphwarden.outcome': outcome } });
});
