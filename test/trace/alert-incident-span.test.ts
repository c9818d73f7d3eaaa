import { expect, it } from 'vitest';
import { digest } from '../../src/runtime/system-ports.ts';
import { alertSpan, incidentSpan } from '../../src/trace/alert-incident-span.ts';
import { alertIncidentContext } from '../../src/trace/span-context.ts';
import { firing } from '../notify/delivery-testbed.ts';

const alert = {
  ...firing('a'),
  rule: 'query_aborted',
  labels: { cluster_name: 'prod', node: 'm1', graph: 'fraud', policy: '', request_id: 'canary' },
  startsAt: 100,
  endsAt: 300,
};

it('the span of an incident is a root, from the start of the problem, without request ids', () => {
  const span = incidentSpan({ alert, links: [] }, digest);
  expect(span).toMatchObject({
    ...alertIncidentContext(alert, digest),
    name: 'incident query_aborted',
    error: 'query_aborted',
  });
  expect([span.start, span.end, 'parentId' in span]).toEqual([100, 300, false]);
  expect(span.attributes).toEqual({
    'graphwarden.rule': 'query_aborted',
    'graphwarden.severity': alert.severity,
    'graphwarden.incident.id': `${alert.key.slice(0, 12)}-${alert.episode}`,
    'graphwarden.cluster': 'prod',
    'graphwarden.node': 'm1',
    'db.namespace': 'fraud',
    'error.type': 'query_aborted',
  });
});

it('the span of an incident starts with its first outage', () => {
  expect(incidentSpan({ alert, links: [], firstOutage: 40 }, digest).start).toBe(40);
  expect(incidentSpan({ alert, links: [], firstOutage: 140 }, digest).start).toBe(100);
});

it('the span of an incident keeps the rule, the labels and the start of a cause that ended before its effects', () => {
  const formerCause = { rule: 'node_unreachable', summary: '', startsAt: 60, endsAt: 200 };
  const labels = { cluster_name: 'prod', node: 'm2' };
  const heir = { ...alert, rule: 'service_not_online', labels: { service_name: 'GPE' }, formerCause };
  const [span, restored] = [
    incidentSpan({ alert: heir, causeLabels: labels, links: [] }, digest),
    incidentSpan({ alert: { ...heir, formerLabels: [{ labels }] }, links: [] }, digest),
  ];
  expect(span).toMatchObject({ name: 'incident node_unreachable', start: 60, end: 300, error: 'node_unreachable' });
  expect(span.attributes).toMatchObject({ 'graphwarden.node': 'm2', 'error.type': 'node_unreachable' });
  expect(span.attributes).not.toHaveProperty('graphwarden.service');
  expect(restored).toEqual(span);
});

it('the span of an incident has a child for each of its alerts', () => {
  const incident = { key: 'b', episode: 7 };
  const { traceId, spanId } = alertIncidentContext(incident, digest);
  const span = alertSpan(alert, incident, digest);
  expect(span).toMatchObject({ traceId, parentId: spanId, name: 'alert query_aborted', start: 100, end: 300 });
  expect(span.attributes['graphwarden.incident.id']).toBe('b-7');
  const others = [
    { ...alert, episode: 2 },
    { ...alert, key: 'c' },
    { ...alert, rule: 'abort_unconfirmed' },
  ];
  const ids = [alert, ...others].map((one) => alertSpan(one, incident, digest).spanId);
  expect(new Set([spanId, ...ids]).size).toBe(5);
});
