import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { digest } from '../../src/runtime/system-ports.ts';
import { outageSpanContext, querySpanContext } from '../../src/trace/span-context.ts';

const replica = { cluster: 'prod', service: 'GPE', partition: '1', replica: '2' };

it('a span context can be derived from the request id of a query', () => {
  const hash = createHash('sha256').update('query\nprod\n7.RESTPP_1_1.1790000000723.N').digest('hex');
  expect(querySpanContext('prod', '7.RESTPP_1_1.1790000000723.N', digest)).toEqual({
    traceId: hash.slice(0, 32),
    spanId: hash.slice(32, 48),
  });
});

it('a span context differs for other subjects', () => {
  const contexts = [
    querySpanContext('prod', 'a', digest),
    querySpanContext('prod', 'b', digest),
    querySpanContext('test', 'a', digest),
    outageSpanContext(replica, 1, digest),
    outageSpanContext(replica, 2, digest),
    outageSpanContext({ ...replica, replica: '1' }, 1, digest),
    outageSpanContext({ ...replica, partition: '2', replica: '1' }, 1, digest),
  ];
  expect(new Set(contexts.map(({ traceId }) => traceId)).size).toBe(contexts.length);
  expect(contexts.every(({ traceId, spanId }) => /^[0-9a-f]{32} [0-9a-f]{16}$/.test(`${traceId} ${spanId}`))).toBe(
    true,
  );
});
