import { describe, expect, it } from 'vitest';
import { type BandLevel, bandRows } from '../../page/src/timeline-rows.ts';
import type { ServiceReport, TransitionReport } from '../../src/api/services.ts';

const start = Date.parse('2026-01-31T12:00:00Z');
const window = { from: start, to: start + 1000 };

/** Returns a time of the window as the API writes it. */
function at(offset: number): string {
  return new Date(start + offset).toISOString();
}

function service(partition: string, replica: string, more: Partial<ServiceReport> = {}): ServiceReport {
  const status = { status: 'Online', since: at(-5000), confirmed: 'Online', confirmedSince: at(-5000) };
  const identity = { cluster: 'prod', service: 'GPE', partition, replica };
  return { ...identity, ...status, process: '', flapping: false, disputed: false, ...more };
}

function transition(offset: number, partition: string, replica: string, [from, to]: readonly [string, string]) {
  const identity = { cluster: 'prod', service: 'GPE', partition, replica };
  const event = { process: '', source: '', eventId: '', eventNs: '' };
  return { at: at(offset), ...identity, from, to, lastedSeconds: null, ...event } satisfies TransitionReport;
}

const services = [service('1', '1'), service('1', '2', { status: 'Down', since: at(300) }), service('2', '1')];
/** The newest first, as the API lists them. */
const transitions = [
  transition(600, '1', '1', ['Down', 'Online']),
  transition(500, '1', '1', ['Online', 'Down']),
  transition(300, '1', '2', ['Online', 'Down']),
];

/** Returns each band as `NAME: STATUS FROM-TO, …`, with times as offsets. */
function bands(
  level: BandLevel,
  facts: Omit<Parameters<typeof bandRows>[0], 'level'> = { services, transitions },
): readonly string[] {
  return bandRows({ ...facts, level }, window).map(
    ({ name, spans }) =>
      `${name}: ${spans.map(({ status, from, to }) => `${status} ${from - start}-${to - start}`).join(', ')}`,
  );
}

describe('bands of the timeline', () => {
  it('show the statuses of each replica, those that are not online first', () => {
    expect(bands('replica')).toEqual([
      'GPE_1#2: Online 0-300, Down 300-1000',
      'GPE_1#1: Online 0-500, Down 500-600, Online 600-1000',
      'GPE_2#1: Online 0-1000',
    ]);
  });

  it('show a partition as online while one of its replicas is', () => {
    expect(bands('partition')).toEqual([
      'GPE_1: Online 0-500, unavailable 500-600, Online 600-1000',
      'GPE_2: Online 0-1000',
    ]);
  });

  it('are not observed after the time of data that is old', () => {
    expect(bands('partition', { services, transitions, knownUntil: start + 700 })).toEqual([
      'GPE_1: Online 0-500, unavailable 500-600, Online 600-700, unobserved 700-1000',
      'GPE_2: Online 0-700, unobserved 700-1000',
    ]);
  });

  it('show a service as online while all of its partitions are', () => {
    expect(bands('service')).toEqual(['GPE: Online 0-500, unavailable 500-600, Online 600-1000']);
    const unobserved = [service('1', '1', { status: 'unobserved', since: at(400) }), service('2', '1')];
    const lost = [transition(400, '1', '1', ['Online', 'unobserved'])];
    expect(bands('service', { services: unobserved, transitions: lost })).toEqual([
      'GPE: Online 0-400, unobserved 400-1000',
    ]);
  });

  it('have no span before the first observation of a replica', () => {
    const facts = { services: [service('1', '1')], transitions: [transition(400, '1', '1', ['', 'Online'])] };
    expect(bands('replica', facts)).toEqual(['GPE_1#1:  0-400, Online 400-1000']);
    expect(bands('replica', { services: [service('1', '1', { since: at(700) })], transitions: [] })).toEqual([
      'GPE_1#1: Online 700-1000',
    ]);
  });

  it('name the cluster if there are several', () => {
    const two = [service('1', '1'), service('1', '1', { cluster: 'test' })];
    expect(bands('replica', { services: two, transitions: [] })).toEqual([
      'prod GPE_1#1: Online 0-1000',
      'test GPE_1#1: Online 0-1000',
    ]);
  });
});
