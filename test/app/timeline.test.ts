import { describe, expect, it } from 'vitest';
import { momentOf, reportTransition, timelineConditions } from '../../src/app/timeline.ts';
import type { Transition } from '../../src/model/transition.ts';

const now = Date.UTC(2026, 8, 22, 12);

const transition: Transition = {
  cluster: 'prod',
  service: 'GPE',
  partition: '1',
  replica: '2',
  at: now,
  from: 'Online',
  to: 'Down',
  process: 'Stopped',
  eventId: 'e1',
  eventNs: '1790000000000000009',
  lasted: 1500,
  source: 'm1',
};

function conditions(query: string) {
  const found = timelineConditions(new URLSearchParams(query), now);
  return found.ok ? found.value : found.error;
}

describe('a transition as it is told', () => {
  it('has its time as text and its length in seconds', () => {
    expect(reportTransition(transition)).toEqual({
      at: '2026-09-22T12:00:00.000Z',
      cluster: 'prod',
      service: 'GPE',
      partition: '1',
      replica: '2',
      from: 'Online',
      to: 'Down',
      lastedSeconds: 1.5,
      process: 'Stopped',
      source: 'm1',
      eventId: 'e1',
      eventNs: '1790000000000000009',
    });
  });

  it('has no length where none is known', () => {
    const { lasted: _, ...first } = transition;
    expect(reportTransition(first).lastedSeconds).toBeNull();
  });
});

describe('a moment', () => {
  it.each([
    ['24h', now - 86_400_000],
    ['1h30m', now - 5_400_000],
    ['0s', now],
    ['2026-09-22T11:00:00Z', now - 3_600_000],
    ['2026-09-22T13:00:00.250+02:00', now - 3_600_000 + 250],
    ['2026-09-22T11:00Z', now - 3_600_000],
  ])('may be %s', (text, moment) => {
    expect(momentOf('since', text, now)).toEqual({ ok: true, value: moment });
  });

  it.each(['', 'yesterday', '24', '2026-09-22', '2026-09-22T11:00:00', '2026-13-40T11:00:00Z', '-1h', '1790000000'])(
    'may not be %j',
    (text) => {
      const moment = momentOf('since', text, now);
      expect(moment).toMatchObject({ ok: false });
      expect(moment.ok ? '' : moment.error).toContain('since must be');
    },
  );
});

describe('what a query asks the timeline for', () => {
  it('is everything where it says nothing but which part', () => {
    expect(conditions('')).toEqual([]);
    expect(conditions('limit=5&offset=5')).toEqual([]);
  });

  it('is told by columns and by time', () => {
    expect(conditions('service=GPE&partition=&to=Down&from=Online&since=1h&until=30m')).toEqual([
      { column: 'service', is: '=', value: 'GPE' },
      { column: 'partition', is: '=', value: '' },
      { column: 'to_status', is: '=', value: 'Down' },
      { column: 'from_status', is: '=', value: 'Online' },
      { column: 'at', is: '>=', value: now - 3_600_000 },
      { column: 'at', is: '<', value: now - 1_800_000 },
    ]);
  });

  it.each(['service_name=GPE', 'to_status=Down', 'constructor=1', 'at=7'])('is not %s', (query) => {
    expect(conditions(query)).toContain('There is no parameter');
  });

  it('is no time that nobody understands', () => {
    expect(conditions('until=soon')).toContain('until must be');
  });
});
