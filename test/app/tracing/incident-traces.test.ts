import { expect, it } from 'vitest';
import type { IncidentId, InstanceIncident } from '../../../src/alert/incident-lookup.ts';
import { IncidentTraces } from '../../../src/app/tracing/incident-traces.ts';
import type { Alert } from '../../../src/model/alert.ts';
import type { Transition } from '../../../src/model/transition.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { alertIncidentContext } from '../../../src/trace/span-context.ts';
import { firing } from '../../notify/delivery-testbed.ts';
import { RecordedSpans } from '../../support/recorded-spans.ts';

const lead: Alert = {
  ...firing('lead'),
  rule: 'node_unreachable',
  labels: { cluster_name: 'prod', node: 'm1' },
  startsAt: 100,
};
const effect: Alert = { ...firing('effect'), rule: 'partition_without_online_replica', labels: {}, startsAt: 150 };

function resolved(alert: Alert, endsAt: number): Alert {
  return { ...alert, status: 'resolved', endsAt };
}

function outage(service: string, from: number, to: number): readonly Transition[] {
  const replica = { cluster: 'prod', service, partition: '1', replica: '1' };
  const rest = { process: '', eventId: '', eventNs: '', source: 'm2' };
  return [
    { ...replica, ...rest, at: from, from: 'Online', to: 'Down' },
    { ...replica, ...rest, at: to, from: 'Down', to: 'Online' },
  ];
}

/** Traces of one incident, to which every outage and the effect belong while it fires. */
function setup(samples?: (traceId: string) => boolean) {
  const recorded = new RecordedSpans(samples);
  let current: InstanceIncident | undefined = { key: lead.key, episode: lead.episode, node: 'm1' };
  const alerts = {
    includingIncident: (id: IncidentId): IncidentId => (id.key === effect.key ? lead : id),
    incidentOfInstance: () => current,
  };
  const end = (): void => {
    current = undefined;
  };
  const abortOf = ({ rule }: Alert) => (rule === 'query_aborted' ? abort : undefined);
  return { recorded, traces: new IncidentTraces({ digest, spans: recorded, alerts, abortOf }), end };
}

const abort = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) };
const incidentContext = alertIncidentContext(lead, digest);

it('incident traces › creates one trace of a node outage: the incident, with its services and effects as children', () => {
  const { recorded, traces } = setup(() => false);
  traces.onAlert(lead);
  traces.onAlert(effect);
  traces.onOutageEnded(outage('GPE', 90, 300));
  traces.onOutageEnded(outage('RESTPP', 95, 310));
  traces.onAlert(resolved(effect, 320));
  // The outage of the instance is a span already.
  traces.onAlert(resolved({ ...effect, rule: 'service_not_online' }, 320));
  traces.onAlert(resolved(lead, 400));
  const [root = expect.fail(), ...more] = recorded.spans.filter(({ parentId }) => parentId === undefined);
  expect(more).toEqual([]);
  expect(root).toMatchObject({ ...incidentContext, name: 'incident node_unreachable', start: 90, end: 400 });
  expect(root.attributes).toMatchObject({ 'graphwarden.node': 'm1', 'graphwarden.cluster': 'prod' });
  expect(recorded.childrenOf(root).map(({ name, start, end }) => [name, start, end])).toEqual([
    ['GPE not online', 90, 300],
    ['RESTPP not online', 95, 310],
    ['alert partition_without_online_replica', 150, 320],
  ]);
  expect(recorded.childrenOf(root)[0]?.attributes['graphwarden.node']).toBe('m1');
});

it('incident traces › keeps an outage that outlasts its incident in its trace', () => {
  const { recorded, traces, end } = setup();
  traces.onAlert(lead);
  const transitions = outage('GPE', 120, 900);
  traces.onOutages(transitions.slice(0, 1));
  end();
  traces.onAlert(resolved(lead, 200));
  traces.onOutageEnded(transitions);
  expect(recorded.spans.map(({ name, traceId, parentId }) => [name, traceId, parentId])).toEqual([
    ['incident node_unreachable', incidentContext.traceId, undefined],
    ['GPE not online', incidentContext.traceId, incidentContext.spanId],
  ]);
});

it('incident traces › creates a separate trace for an outage without an incident, if it is sampled', () => {
  for (const isSampled of [true, false]) {
    const { recorded, traces, end } = setup(() => isSampled);
    end();
    traces.onOutageEnded(outage('GPE', 90, 300));
    expect(recorded.roots('GPE not online')).toHaveLength(isSampled ? 1 : 0);
  }
});

it('incident traces › links an open incident to its notifications and aborts', () => {
  const { recorded, traces } = setup();
  const notification = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  traces.link(lead, notification);
  traces.onAlert(lead);
  traces.link(lead, notification);
  traces.onAlert(lead);
  traces.onAlert(resolved(lead, 400));
  traces.link(lead, notification);
  expect(recorded.roots('incident node_unreachable')[0]?.links).toEqual([notification]);
});

it('incident traces › links the incident of an aborted query to the abort', () => {
  const { recorded, traces } = setup();
  const aborted = { ...lead, rule: 'query_aborted' };
  traces.onAlert(aborted);
  traces.onAlert(resolved(aborted, 400));
  expect(recorded.roots('incident query_aborted')[0]?.links).toEqual([abort]);
});

it('incident traces › names an incident after its first cause, also if an effect leads it at its end', () => {
  const { recorded, traces } = setup();
  traces.onAlert(lead);
  const formerCause = { rule: 'node_unreachable', summary: '', startsAt: 100, endsAt: 350 };
  const heir = { ...lead, rule: 'partition_unavailable', labels: { service_name: 'GPE' }, startsAt: 150, formerCause };
  traces.onAlert(resolved(heir, 400));
  const [root = expect.fail(), ...more] = recorded.spans.filter(({ parentId }) => parentId === undefined);
  expect(more).toEqual([]);
  expect(root).toMatchObject({ ...incidentContext, name: 'incident node_unreachable', start: 100, end: 400 });
  expect(root.attributes['graphwarden.node']).toBe('m1');
  expect(recorded.childrenOf(root).map(({ name, start }) => [name, start])).toEqual([
    ['alert partition_unavailable', 150],
  ]);
});
