import { describe, expect, it } from 'vitest';
import type {
  Evidence,
  InjectedFault,
  LoggedNotification,
  LoggedRequest,
} from '../../../../campaigns/failover/evidence.ts';
import { evaluate, repeatedTriggers } from '../../../../campaigns/failover/oracle/evaluate.ts';

const second = 1000;
const owned = { at: 0, replica: 0, owner: 'a', expiresAt: 60 * second };
const nothing: Evidence = {
  lease: 10 * second,
  answers: [],
  requests: [],
  notifications: [],
  startedQueries: [],
  outages: [],
  runs: [],
  faults: [],
  leases: [
    { ...owned, cluster: 'c1' },
    { ...owned, cluster: 'c1', at: 60 * second, replica: 1, owner: 'b', expiresAt: 120 * second },
  ],
  writes: [],
};

function abort(id: string, at: number, replica = 0): LoggedRequest {
  return { cluster: 'c1', replica, at, path: '/restpp/abortquery/fraud', query: `requestid=${id}` };
}

function poll(at: number, replica: number): LoggedRequest {
  return { cluster: 'c1', replica, at, path: '/restpp/showprocesslist/fraud', query: '' };
}

function notification(status: 'firing' | 'resolved', at: number, given: Partial<LoggedNotification> = {}) {
  return {
    replica: 0,
    at,
    cluster: 'c1',
    alertname: 'X',
    service: 'GPE',
    status,
    startsAt: 'once',
    isAccepted: true,
    ...given,
  };
}

function injected(given: Partial<InjectedFault>): InjectedFault {
  return { name: 'kill', moment: 'time', replica: 0, at: 0, until: 1, isOverlapped: false, gaps: {}, ...given };
}

function kinds(evidence: Partial<Evidence>): readonly string[] {
  return evaluate({ ...nothing, ...evidence }).map(({ kind }) => kind);
}

describe('evaluate', () => {
  it('returns no finding for logs of two consecutive owners', () => {
    const requests = [poll(1000, 0), abort('a', 2000), poll(61 * second, 1), abort('b', 62 * second, 1)];
    const outages = [{ cluster: 'c1', service: 'GPE', from: 1000, until: 40 * second }];
    const notifications = [notification('firing', 2000), notification('resolved', 61 * second, { replica: 1 })];
    expect(kinds({ requests, outages, notifications })).toEqual([]);
  });

  it('finds a second abort of a query, also by another replica', () => {
    expect(kinds({ requests: [abort('a', 1000), abort('a', 61 * second, 1)] })).toEqual(['double abort']);
  });

  it('finds effects and writes of a replica without the lease', () => {
    const late = 61 * second;
    expect(kinds({ requests: [abort('a', late, 0)] })).toEqual(['abort without lease']);
    const notifications = [notification('firing', late), notification('resolved', late, { replica: 1 })];
    expect(kinds({ notifications })).toEqual(['notification without lease']);
    expect(kinds({ writes: [{ at: late, table: 'lanes', cluster: 'c1', replica: 0 }] })).toEqual([
      'write without lease',
    ]);
    expect(kinds({ writes: [{ at: late, table: 'silences', cluster: 'c1', replica: 0 }] })).toEqual([]);
  });

  it('finds two replicas that poll, but not the last polls of one that wakes up', () => {
    const from = 65 * second;
    expect(kinds({ requests: [poll(from, 0), poll(from + 500, 0)] })).toEqual([]);
    const requests = [poll(from, 0), poll(from + 2000, 0)];
    expect(kinds({ requests })).toEqual(['two owners']);
    const cut = injected({ name: 'cut', at: from - 10, until: from + 100 });
    expect(kinds({ requests, faults: [cut] })).toEqual([]);
    expect(kinds({ requests, faults: [{ ...cut, replica: 1 }] })).toEqual(['two owners']);
  });

  it('finds aborts beyond a budget and beyond a circuit breaker', () => {
    const times = [0, 1, 2, 3, 4, 5];
    const requests = times.map((index) => abort(String(index), 1000 + index * 20));
    expect(new Set(kinds({ requests }))).toContain('over budget');
    const startedQueries = times.map((index) => ({ cluster: 'c1', id: String(index), name: 'q', startedAt: 0 }));
    const slow = times.slice(0, 4).map((index) => abort(String(index), 1000 + index * 14_000));
    expect(kinds({ requests: slow, startedQueries })).toEqual(['over breaker']);
  });

  it('finds an outage without a notification, and an incident without an end', () => {
    const outages = [{ cluster: 'c1', service: 'GPE', from: 1000, until: 40 * second }];
    expect(kinds({ outages })).toEqual(['lost notification']);
    const rejected = [notification('firing', 2000, { isAccepted: false })];
    expect(kinds({ outages, notifications: rejected })).toEqual(['lost notification']);
    const other = [
      notification('firing', 2000, { service: 'KAFKA' }),
      notification('resolved', 3000, { service: 'KAFKA' }),
    ];
    expect(kinds({ outages, notifications: other })).toEqual(['lost notification']);
    expect(kinds({ outages, notifications: [notification('firing', 2000)] })).toEqual(['left open', 'no end']);
  });

  it('finds an incident without an end although a later one of the same alert ended', () => {
    const later = { startsAt: 'later' };
    const notifications = [
      notification('firing', 2000),
      notification('firing', 2500),
      notification('firing', 5000, later),
      notification('resolved', 6000, later),
    ];
    expect(kinds({ notifications })).toEqual(['no end']);
    expect(kinds({ notifications, faults: [injected({ name: 'kill', at: 1000, until: 4000 })] })).toEqual(['no end']);
    // The replica that notified it from memory may have ended before it could store it.
    expect(kinds({ notifications, faults: [injected({ name: 'cut', at: 1000, until: 4000 })] })).toEqual([]);
  });
});

describe('evaluate, of polls and of outages of the database', () => {
  it('finds a cluster without polls for longer than the duration of a takeover', () => {
    expect(kinds({ faults: [injected({ gaps: { c1: 20 * second, c2: 26 * second } })] })).toEqual(['polled too late']);
  });

  it('finds a replica that does not state that the database is away, or does not answer', () => {
    const answer = { replica: 0, at: 1, after: 5, durable: 0, leaseAge: 20 };
    const silent = { ...answer, after: undefined, durable: undefined, leaseAge: undefined };
    expect(kinds({ answers: [answer] })).toEqual([]);
    const wrong = [{ ...answer, durable: 1 }, { ...answer, leaseAge: 1 }, silent];
    expect(kinds({ answers: wrong })).toEqual(wrong.map(() => 'outage not stated'));
  });
});

describe('repeatedTriggers', () => {
  it('counts triggers of incidents that the receiver had accepted', () => {
    const notifications = [
      notification('firing', 1, { isAccepted: false }),
      notification('firing', 2),
      notification('firing', 3),
      notification('firing', 4, { startsAt: 'again' }),
    ];
    expect(repeatedTriggers({ notifications })).toBe(1);
  });
});
