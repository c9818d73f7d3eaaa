import { describe, expect, it, onTestFinished } from 'vitest';
import type { Span } from '../../src/model/span.ts';
import { send } from '../support/http.ts';
import { RecordedSpans } from '../support/recorded-spans.ts';
import { listen } from '../support/reusable-port.ts';
import { startSimulatedReceivers } from '../support/simulated-receivers.ts';
import { type GuardEnvironment, startEnvironment } from './guard-environment.ts';
import { NetworkClock } from './network-clock.ts';

const minute = 60_000;
const on = { enabled: true };

/** A traced daemon, with one receiver of all its alerts. */
async function traced(nodes: number, more: Readonly<Record<string, unknown>> = {}) {
  const spans = new RecordedSpans();
  const clock = new NetworkClock();
  const receivers = await startSimulatedReceivers([{ name: 'oncall', kind: 'webhook' }], { listen, clock });
  onTestFinished(() => receivers.close());
  const notified = receivers.all.map(({ name, url }) => ({ name, webhook: { url } }));
  const routes = [{ receivers: ['oncall'], group_wait: '1s', group_interval: '1s' }];
  const environment = await startEnvironment({
    guard: {},
    clock,
    simulated: { nodes },
    collectors: { metrics: on, license: on, statistics: on, workload_queues: on, delayed_queries: on },
    world: { spans, spanExports: spans },
    more: { alerts: { receivers: notified, routes }, ...more },
  });
  onTestFinished(() => environment.stop());
  return { spans, environment };
}

/** Rules of the open incidents on the metrics page, every 15 seconds. */
async function openIncidents(environment: GuardEnvironment, length: number) {
  const { clock, daemon } = environment;
  const found: string[][] = [];
  for (let at = 0; at < length; at += 15_000) {
    await environment.run(15_000);
    const { text } = await clock.through(send(`${daemon().url}/metrics`));
    found.push(
      [...text.matchAll(/^graphwarden_incidents_open\{.*rule="(?!watchdog)(\w+)"/gm)].map(([, rule = '']) => rule),
    );
  }
  return found;
}

describe('traces of incidents', () => {
  it('have one root for a node outage, with its services as children and links to its notifications', async () => {
    const { spans, environment } = await traced(3);
    const { control } = environment.simulator;
    await environment.run(minute);
    await control.stopNode('m2');
    const annotated = await openIncidents(environment, 3 * minute);
    await control.startNode('m2');
    annotated.push(...(await openIncidents(environment, 4 * minute)));
    // The dashboards annotate it once, although a service ends last.
    expect(new Set(annotated.flat())).toEqual(new Set(['node_unreachable']));
    expect(annotated.map(({ length }) => length).join('')).toMatch(/^0*1+0+$/);
    const incidents = spans.spans.filter(({ name }) => name.startsWith('incident '));
    const [incident = expect.fail(), ...more] = incidents;
    expect(more.map(({ name }) => name)).toEqual([]);
    expect(incident).toMatchObject({ name: 'incident node_unreachable', attributes: { 'graphwarden.node': 'm2' } });
    expect(incident.parentId).toBe(undefined);
    const alerts = spans.childrenOf(incident).filter(({ name }) => name.startsWith('alert '));
    expect(new Set(alerts.map(({ name }) => name))).toEqual(
      new Set(['alert node_unreachable', 'alert collector_blind']),
    );
    expect(new Set(alerts.map(({ attributes }) => attributes['graphwarden.node']))).toEqual(new Set(['m2']));
    const outages = spans.spans.filter(({ name }) => name.endsWith(' not online'));
    expect(outages.length).toBeGreaterThan(3);
    expect(outages.filter(({ parentId }) => parentId !== incident.spanId)).toEqual([]);
    expect(new Set(outages.map(({ attributes }) => attributes['graphwarden.node']))).toEqual(new Set(['m2']));
    const sent = spans.roots('notify oncall');
    const isAboutIt = ({ links }: Span) => links.some(({ spanId }) => spanId === incident.spanId);
    const [trigger = expect.fail()] = sent.filter(isAboutIt);
    expect(incident.links).toContainEqual({ traceId: trigger.traceId, spanId: trigger.spanId });
  });

  it('produce less than one span per second in a healthy cluster: only queries', async () => {
    const [one, other] = [await traced(3), await traced(4)];
    const length = 2 * minute;
    await one.environment.run(length);
    await other.environment.run(length);
    const requests = [one, other].map(({ environment }) => environment.simulator.calls().length);
    expect(Math.min(...requests)).toBeGreaterThan(200);
    const all = [...one.spans.spans, ...other.spans.spans];
    const queries = all.filter(({ kind }) => kind === 'server');
    expect(queries.length / (length / 1000)).toBeLessThan(1);
    // On a busy machine a request takes long on this clock as well.
    const slow = new Set(all.filter(({ start, end }) => end - start >= 1000).map(({ traceId }) => traceId));
    const others = all.filter(({ kind, traceId }) => kind !== 'server' && !slow.has(traceId));
    expect(others.map(({ name }) => name)).toEqual([]);
  });
});
