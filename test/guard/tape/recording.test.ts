import { describe, expect, it } from 'vitest';
import type { HeardList } from '../../../src/graphdb/overheard.ts';
import { eventLine, headerLine } from '../../../src/guard/tape/format.ts';
import { concerning, createRecording } from '../../../src/guard/tape/recording.ts';
import { type Failure, failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { settingsOf } from '../decision/world.ts';
import { at, entryOf } from '../listed.ts';
import { policyOf } from '../policy-of.ts';
import { recordedAs } from './tapes.ts';

const settings = settingsOf([
  policyOf({ name: 'deep', when: { params: { depth: '4' } } }),
  policyOf({ name: 'elsewhere', clusters: ['test'], when: { params: { mode: 'full' } } }),
  policyOf({ name: 'here', clusters: ['prod'] }),
]);
const recording = createRecording(recordedAs({ settings, pressures: ['queue_depth', 'queue_oldest'] }));

function heard(changes: Partial<HeardList> = {}): HeardList {
  return {
    cluster: 'prod',
    node: 'n1',
    address: '',
    answer: ok({ error: false, results: [entryOf()] }),
    started: { wall: 1000.4, mono: 10.4 },
    received: { wall: 1020.6, mono: 30.6 },
    ...changes,
  };
}

describe('a recording', () => {
  it('begins with what the rest is to be read with', () => {
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
      pressures: ['queue_depth', 'queue_oldest'],
    });
    expect(headerLine.parse(recording.header)).toEqual(recording.header);
  });

  it('holds lists of nodes without a known address', () => {
    const nowhere = createRecording(recordedAs({ settings, addresses: {} }));
    expect(nowhere.listed(heard())).toMatchObject({ event: 'listed', node: 'n1', address: '' });
  });

  it('holds lists in whole milliseconds, with the truth of its clauses', () => {
    const event = recording.listed(heard());
    expect(event).toMatchObject({
      event: 'listed',
      node: 'n1',
      address: '10.0.0.1:9',
      started: { wall: 1000, mono: 10 },
      at: { wall: 1021, mono: 31 },
      list: { entries: [{ query: '/query/fraud/ring_scan', told: '1' }] },
    });
    expect(eventLine.parse(event)).toEqual(event);
  });

  it.each<[Failure, object]>([
    [failure('timeout', 'secret'), { reason: 'timeout' }],
    [failure('status', 'secret', { code: 'REST-1' }), { reason: 'status' }],
    [failure('body', 'secret'), { reason: 'body', doubt: 'malformed' }],
    [failure('body', 'secret', { code: 'REST-1' }), { reason: 'body', doubt: 'error' }],
  ])('holds of a failure why, and no words: %j', (trouble, kept) => {
    const event = recording.listed(heard({ answer: err(trouble) }));
    expect(event).toEqual({ event: 'unlisted', node: 'n1', at: { wall: 1021, mono: 31 }, ...kept });
    expect(eventLine.parse(event)).toEqual(event);
  });

  it('holds pressures and graphs', () => {
    const pressure = { node: 'n1', source: 'queue_depth', value: 3, at: 0, interval: 5000 } as const;
    const events = [
      recording.pressed(pressure, at(0)),
      recording.pressed({ ...pressure, value: undefined }, at(0)),
      recording.graphs(['fraud'], at(0)),
    ];
    expect(events).toEqual([
      { event: 'pressed', node: 'n1', source: 'queue_depth', value: 3, at: at(0), interval: 5000 },
      { event: 'pressed', node: 'n1', source: 'queue_depth', at: at(0), interval: 5000 },
      { event: 'graphs', at: at(0), names: ['fraud'] },
    ]);
    expect(events.map((event) => eventLine.parse(event))).toEqual(events);
  });

  it('is about the policies of its cluster', () => {
    expect(concerning(settings, 'prod').map(({ name }) => name)).toEqual(['deep', 'here']);
    expect(concerning(settings, 'test').map(({ name }) => name)).toEqual(['deep', 'elsewhere']);
  });
});
