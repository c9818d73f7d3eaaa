import { expect, it } from 'vitest';
import { digest } from '../../src/runtime/system-ports.ts';
import { alertSpan } from '../../src/trace/alert-incident-span.ts';
import { alertIncidentContext } from '../../src/trace/span-context.ts';
import { firing } from '../notify/delivery-testbed.ts';

const alert = {
  ...firing('a'),
  rule: 'query_aborted',
  labels: { cluster_name: 'prod', node: 'm1', graph: 'fraud', policy: '', request_id: 'canary' },
  startsAt: 100,
  endsAt: 300,
};

it('is the root of its incident, from the start of the problem, without request ids', () => {
  const span = alertSpan({ alert, links: [] }, digest);
  expect(span).toMatchObject({
    ...alertIncidentContext(alert, digest),
    name: 'incident query_aborted',
    error: 'query_aborted',
  });
  expect([span.start, span.end, 'parentId' in span]).toEqual([100, 300, false]);
  expect(span.attributes).toMatchObject({
    'graphwarden.cluster': 'prod',
    'graphwarden.node': 'm1',
    'db.namespace': 'fraud',
  });
  expect(JSON.stringify(span)).not.toContain('canary');
});

it('starts with the first outage in it', () => {
  expect(alertSpan({ alert, links: [], firstOutage: 40 }, digest).start).toBe(40);
  expect(alertSpan({ alert, links: [], firstOutage: 140 }, digest).start).toBe(100);
});

it('is a child of the incident that includes it', () => {
  const lead = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  const span = alertSpan({ alert, links: [], lead }, digest);
  expect(span).toMatchObject({ traceId: lead.traceId, parentId: lead.spanId, name: 'alert query_aborted' });
});
