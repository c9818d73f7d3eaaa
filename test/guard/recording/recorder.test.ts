import { describe, expect, it } from 'vitest';
import { eventSchema, headerSchema } from '../../../src/guard/recording/format.ts';
import { createRecorder, type ReceivedList } from '../../../src/guard/recording/recorder.ts';
import { type Failure, failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { settingsOf } from '../decision/guard-simulation.ts';
import { at, entryOf, idAt } from '../observations.ts';
import { policyOf } from '../parsed-policy.ts';
import { recordingOptions } from './recordings.ts';

const settings = settingsOf([
  policyOf({ name: 'deep', when: { params: { depth: '4' } } }),
  policyOf({ name: 'elsewhere', clusters: ['test'], when: { params: { mode: 'full' } } }),
  policyOf({ name: 'here', clusters: ['prod'] }),
]);
const recording = createRecorder(recordingOptions({ settings, gates: ['queue_depth', 'queue_oldest'] }));

function received(changes: Partial<ReceivedList> = {}): ReceivedList {
  return {
    node: 'n1',
    answer: ok({ error: false, results: [entryOf()] }),
    started: { wall: 1000.4, mono: 10.4 },
    received: { wall: 1020.6, mono: 30.6 },
    ...changes,
  };
}

describe('recorder', () => {
  it('starts with a header', () => {
    expect(recording.header).toEqual({
      format: 'graphwarden guard recording',
      version: 1,
      cluster: 'prod',
      nodes: ['n1'],
      instances: { n1: 'RESTPP_1_1' },
      interval: 5000,
      graphs: ['fraud', 'sandbox'],
      guard: 'a'.repeat(64),
      clauses: [{ param: 'depth', patterns: ['4'] }],
      gates: ['queue_depth', 'queue_oldest'],
    });
    expect(headerSchema.parse(recording.header)).toEqual(recording.header);
  });

  it('records lists in whole milliseconds, with the results of its clauses', () => {
    const event = recording.listed(received());
    expect(event).toMatchObject({
      event: 'listed',
      node: 'n1',
      started: { wall: 1000, mono: 10 },
      at: { wall: 1021, mono: 31 },
      list: { entries: [{ query: '/query/fraud/ring_scan', params: '1' }] },
    });
    expect(eventSchema.parse(event)).toEqual(event);
    expect(event).not.toHaveProperty('list_time');
  });

  it('records the time that the server took, also for failed lists', () => {
    const events = [received({ listTime: 14.6 }), received({ listTime: 3000, answer: err(failure('timeout', '')) })];
    expect(events.map((event) => recording.listed(event))).toMatchObject([
      { event: 'listed', list_time: 15 },
      { event: 'unlisted', list_time: 3000 },
    ]);
  });

  it.each<[Failure, object]>([
    [failure('timeout', 'secret'), { reason: 'timeout' }],
    [failure('status', 'secret', { code: 'REST-1' }), { reason: 'status' }],
    [failure('body', 'secret'), { reason: 'body', skip_reason: 'malformed' }],
    [failure('body', 'secret', { code: 'REST-1' }), { reason: 'body', skip_reason: 'error' }],
  ])('records the reason of a failure, without its text: %j', (error, kept) => {
    const event = recording.listed(received({ answer: err(error) }));
    expect(event).toEqual({ event: 'unlisted', node: 'n1', at: { wall: 1021, mono: 31 }, ...kept });
    expect(eventSchema.parse(event)).toEqual(event);
  });

  it.each([0, 1, 500, 1201])('returns the JSON of a list of %d entries in portions', (length) => {
    const results = Array.from({ length }, (_, serial) => entryOf({ requestid: idAt(0, serial + 1) }));
    const list = received({ answer: ok({ results: [...results, ...(length === 1 ? [{ requestid: 'odd' }] : [])] }) });
    const portions = recording.listedJson(list);
    let count = 0;
    let next = portions.next();
    for (; next.done !== true; next = portions.next()) count += 1;
    expect(count).toBe(Math.ceil(length / 500));
    expect(next.value).toBe(JSON.stringify(recording.listed(list)));
  });

  it.each([
    ['a failed request', err(failure('timeout', 'secret'))],
    ['a reply that is no list', ok({ error: true })],
  ])('returns the JSON of %s', (_, answer) => {
    const list = received({ answer });
    expect(recording.listedJson(list).next()).toEqual({ done: true, value: JSON.stringify(recording.listed(list)) });
  });

  it('records pressures and graphs', () => {
    const pressure = { node: 'n1', source: 'queue_depth', value: 3, at: 0, collectedAt: -700, interval: 5000 } as const;
    const events = [
      recording.gateValue(pressure, at(0)),
      recording.gateValue({ ...pressure, value: undefined }, at(0)),
      recording.graphs(['fraud'], at(0)),
    ];
    expect(events).toEqual([
      { event: 'gate_value', node: 'n1', source: 'queue_depth', value: 3, at: at(0), age: 700, interval: 5000 },
      { event: 'gate_value', node: 'n1', source: 'queue_depth', at: at(0), age: 700, interval: 5000 },
      { event: 'graphs', at: at(0), names: ['fraud'] },
    ]);
    expect(events.map((event) => eventSchema.parse(event))).toEqual(events);
  });
});
