import { describe, expect, it } from 'vitest';
import type { Transition } from '../../src/model/transition.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { applyTransition, type OpenOutages, outageSpan, outagesOf } from '../../src/trace/service-outages.ts';
import { outageSpanContext } from '../../src/trace/span-context.ts';

const replica = { cluster: 'prod', service: 'GPE', partition: '1', replica: '2' };

function transition(at: number, from: string, to: string, more: Partial<Transition> = {}): Transition {
  return { ...replica, at, from, to, process: 'Running', eventId: '', eventNs: '', source: 'm1', ...more };
}

/** A timeline of statuses, ten milliseconds apart, from the one before the first. */
function timeline(...statuses: readonly string[]): readonly Transition[] {
  return statuses.slice(1).map((to, at) => transition(at * 10, statuses[at] ?? '', to));
}

/** The outages that a timeline comes to, each by its statuses, and those that are left open. */
function outagesIn(transitions: readonly Transition[]) {
  const open: OpenOutages = new Map();
  const over: (readonly Transition[])[] = [];
  for (const one of transitions) {
    const step = applyTransition(open, one);
    if (step?.isOver === true) over.push(step.transitions);
  }
  return { over, words: over.map((all) => all.map(({ to }) => to).join(' ')), open };
}

describe('outages of services', () => {
  it.each([
    [['Online', 'Down', 'Online'], ['Down Online']],
    [['Online', 'Down', 'Warmup', 'Online'], ['Down Warmup Online']],
    [
      ['Online', 'Down', 'Online', 'Warmup', 'Online'],
      ['Down Online', 'Warmup Online'],
    ],
    [['Online', 'unobserved', 'Online'], []],
    [['Online', 'unobserved', 'Down', 'unobserved', 'Online'], ['Down unobserved Online']],
    [['', 'Online'], []],
    [['', 'Down', 'Online'], ['Down Online']],
    [['Online', 'absent', 'Online'], ['absent Online']],
    [['Online', 'absent', ''], ['absent ']],
    [['Online', ''], []],
  ])('of %j are %j', (statuses, words) => {
    const found = outagesIn(timeline(...statuses));
    expect(found.words).toEqual(words);
    expect(found.open.size).toBe(0);
  });

  it('stay open until they end, each instance for itself', () => {
    const other = { replica: '1' };
    const found = outagesIn([
      transition(0, 'Online', 'Down'),
      transition(5, 'Online', 'Down', other),
      transition(9, 'Online', 'Down', { cluster: 'test' }),
      transition(10, 'Down', 'Online', other),
    ]);
    expect(found.over.map((all) => all.map(({ at }) => at))).toEqual([[5, 10]]);
    expect(found.open.size).toBe(2);
  });

  it('belong to an alert about the instance or about its cluster', () => {
    const other = { replica: '1' };
    const [first, second] = [transition(0, 'Online', 'Down'), transition(5, 'Online', 'Down', other)];
    const { open } = outagesIn([
      first,
      second,
      transition(7, 'Down', 'Warmup'),
      transition(9, '', 'Down', { cluster: 'test' }),
    ]);
    const instance = { cluster_name: 'prod', service_name: 'GPE', partition: '1' };
    expect(outagesOf(open, { ...instance, replica: '2' })).toEqual([first]);
    expect(outagesOf(open, { ...instance, replica: '3' })).toEqual([]);
    expect(outagesOf(open, { cluster_name: 'prod', node: 'm1' })).toEqual([first, second]);
  });

  it('keep their start and their latest changes while they flap', () => {
    const flapping = Array.from({ length: 500 }, (_, at) => transition(at, 'Down', at % 2 === 0 ? 'Warmup' : 'Down'));
    const { over } = outagesIn([transition(-1, 'Online', 'Down'), ...flapping, transition(500, 'Down', 'Online')]);
    expect(over[0]?.length).toBe(128);
    expect([over[0]?.[0]?.at, over[0]?.at(-1)?.at]).toEqual([-1, 500]);
  });
});

describe('the span of an outage', () => {
  it('has an event for each transition', () => {
    const [first, ...rest] = timeline('Online', 'Down', 'Warmup', 'Online');
    const span = outageSpan([...(first ? [{ ...first, process: 'Stopped' }] : []), ...rest], digest);
    expect(span).toEqual({
      ...outageSpanContext(replica, 0, digest),
      name: 'GPE not online',
      kind: 'internal',
      start: 0,
      end: 20,
      attributes: {
        'graphwarden.cluster': 'prod',
        'graphwarden.service': 'GPE',
        'graphwarden.partition': '1',
        'graphwarden.replica': '2',
        'graphwarden.outage.outcome': 'online',
        'graphwarden.outage.start_seen': true,
        'error.type': 'Down',
      },
      events: [
        { name: 'Down', at: 0, attributes: reported('Online', 'Down', 'Stopped') },
        { name: 'Warmup', at: 10, attributes: reported('Down', 'Warmup') },
        { name: 'Online', at: 20, attributes: reported('Warmup', 'Online') },
      ],
      links: [],
      error: 'GPE was Down',
    });
  });

  it.each([
    ['', false],
    ['unobserved', false],
    ['Online', true],
  ])('from %j has an observed start: %s', (from, seen) => {
    const span = outageSpan([transition(0, from, 'Down'), transition(1, 'Down', '')], digest);
    expect(span?.attributes['graphwarden.outage.start_seen']).toBe(seen);
    expect(span?.attributes['graphwarden.outage.outcome']).toBe('forgotten');
    expect(span?.events.map(({ name }) => name)).toEqual(['Down', 'forgotten']);
  });

  it('omits attributes that the service does not have', () => {
    const bare = { partition: '', replica: '', process: '', source: '' };
    const span = outageSpan([transition(0, 'Online', 'absent', bare), transition(1, 'absent', 'Online', bare)], digest);
    expect(Object.keys(span?.attributes ?? {})).not.toContain('graphwarden.partition');
    expect(span?.events[0]?.attributes).toEqual({
      'graphwarden.status.from': 'Online',
      'graphwarden.status.to': 'absent',
    });
    expect(span?.attributes['error.type']).toBe('absent');
  });

  it('does not end before it begins, and is absent without an outage', () => {
    expect(outageSpan([transition(5, 'Online', 'Down'), transition(3, 'Down', 'Online')], digest)?.end).toBe(5);
    expect(outageSpan([], digest)).toBe(undefined);
  });
});

function reported(from: string, to: string, process = 'Running') {
  return {
    'graphwarden.status.from': from,
    'graphwarden.status.to': to,
    'graphwarden.process.state': process,
    'graphwarden.status.source': 'm1',
  };
}
