import { describe, expect, it } from 'vitest';
import type { RecordingEvent } from '../../../src/guard/recording/format.ts';
import { RecordingJoiner } from '../../../src/guard/recording/recording-joiner.ts';
import { at } from '../observations.ts';
import { headerOf, listedAt } from './recordings.ts';

const [deep, full, wide] = ['depth', 'mode', 'width'].map((param) => ({ param, patterns: ['4'] }));

function clauses(...all: readonly (typeof deep)[]) {
  return all.flatMap((clause) => clause ?? []);
}

function paramsOf(events: readonly RecordingEvent[]): readonly unknown[] {
  return events.flatMap((event) => {
    return event.event === 'listed' && 'entries' in event.list
      ? event.list.entries.map((entry) => ('params' in entry ? entry.params : undefined))
      : [];
  });
}

describe('the recording joiner', () => {
  it('holds the nodes of any file, and the conditions and gates of all files', () => {
    const first = headerOf({ clauses: clauses(deep, full), gates: ['node_cpu', 'queue_depth'], graphs: ['fraud'] });
    const last = headerOf({
      nodes: ['n2'],
      clauses: clauses(full, wide),
      gates: ['queue_depth'],
      instances: { n2: 'b' },
    });
    expect(new RecordingJoiner([first, last]).header).toMatchObject({
      nodes: ['n1', 'n2'],
      instances: { n1: 'RESTPP_1_1', n2: 'b' },
      clauses: clauses(full),
      gates: ['queue_depth'],
      graphs: ['fraud'],
    });
  });

  it('keeps the results of the conditions that all files hold', () => {
    const first = headerOf({ clauses: clauses(deep, full) });
    const last = headerOf({ clauses: clauses(full, wide) });
    const joiner = new RecordingJoiner([first, last]);
    const events = [
      ...joiner.join(listedAt(0, [{ results: '01' }]), first),
      ...joiner.join(listedAt(5000, [{ results: '01' }]), last),
    ];
    expect(paramsOf(events)).toEqual(['1', '0']);
    expect(paramsOf(new RecordingJoiner([first, headerOf()]).join(listedAt(0, [{ results: '01' }]), first))).toEqual([
      undefined,
    ]);
  });

  it('states the graphs at the start of each file', () => {
    const first = headerOf({ graphs: [] });
    const last = headerOf({ graphs: ['fraud'] });
    const joiner = new RecordingJoiner([first, last]);
    const events = [listedAt(0), listedAt(1)].flatMap((event) => joiner.join(event, first));
    const more = joiner.join(listedAt(2), last);
    expect([...events, ...more].map((event) => ('names' in event ? event.names : event.event))).toEqual([
      [],
      'listed',
      'listed',
      ['fraud'],
      'listed',
    ]);
  });

  it('keeps the order of the monotonic clock if the wall clock was set back between two runs', () => {
    const [first, last] = [headerOf(), headerOf()];
    const joiner = new RecordingJoiner([first, last]);
    joiner.join(listedAt(60_000), first);
    const [, next] = joiner.join(listedAt(10_000), last);
    const [more] = joiner.join(listedAt(15_000), last);
    expect(next).toMatchObject({ at: { ...at(10_000), mono: at(60_000).mono }, started: { mono: at(59_980).mono } });
    expect(more).toMatchObject({ at: { mono: at(65_000).mono } });
  });
});
