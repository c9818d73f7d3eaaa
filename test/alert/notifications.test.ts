import { describe, expect, it } from 'vitest';
import { notifyFiring, notifyResolved } from '../../src/alert/notifications.ts';
import { firingIncident } from './incident-fixture.ts';

const now = { wall: Date.UTC(2026, 8, 22, 5), mono: 5000 };
const chat = { receiver: 'chat', group: { a: 'b' }, groupWait: 10, repeatInterval: 0 };
const mail = { receiver: 'mail', group: {}, groupWait: 0, repeatInterval: 60_000, fallback: 'chat' };
const incident = firingIncident('quick', { node: 'm1' });

describe('a receiver without a notification', () => {
  it('is notified once', () => {
    const { notifications, incident: next } = notifyFiring(incident, undefined, [chat, mail], { now });
    expect(notifications).toMatchObject([{ kind: 'trigger', isReminder: false, due: now.wall }]);
    expect(notifications[0]?.kind === 'trigger' && notifications[0].to).toEqual([
      { receiver: 'chat', group: { a: 'b' }, groupWait: 10 },
      { receiver: 'mail', group: {}, groupWait: 0, fallback: 'chat' },
    ]);
    expect(next.notified).toEqual({ chat: now.wall, mail: now.wall });
    expect(notifyFiring(next, undefined, [chat, mail], { now })).toEqual({ incident: next, notifications: [] });
  });

  it('is not notified while a silence mutes the incident, but afterwards', () => {
    const suppression = { kind: 'silence', id: 's1' } as const;
    const quiet = notifyFiring(incident, suppression, [chat], { now });
    expect(quiet).toEqual({ incident: { ...incident, suppression }, notifications: [] });
    const free = notifyFiring(quiet.incident, undefined, [chat], { now });
    expect(free.notifications).toHaveLength(1);
    expect(free.incident.suppression).toBeUndefined();
  });
});

describe('an inhibited incident', () => {
  const suppression = { kind: 'inhibition', by: 'elsewhere' } as const;
  const slow = { ...incident, for: 60_000 };
  const later = (seconds: number) => ({ now: { wall: now.wall + seconds * 1000, mono: now.mono + seconds * 1000 } });

  it('causes a notification if it outlasts the inhibition by its for duration', () => {
    const inhibited = notifyFiring(slow, suppression, [chat], { now }).incident;
    const over = notifyFiring(inhibited, undefined, [chat], later(10));
    expect(over).toMatchObject({ incident: { suppression }, notifications: [] });
    expect(notifyFiring(over.incident, undefined, [chat], later(69)).notifications).toEqual([]);
    const reported = notifyFiring(over.incident, undefined, [chat], later(70));
    expect(reported.notifications).toHaveLength(1);
    expect([reported.incident.suppression, reported.incident.uninhibitedSince]).toEqual([undefined, undefined]);
  });

  it('causes no notification while its problem is over', () => {
    const recovering = { ...slow, for: 0, suppression, recoveringSince: now.wall };
    const over = notifyFiring(recovering, undefined, [chat], { now });
    expect(over).toMatchObject({ incident: { suppression }, notifications: [] });
    const { recoveringSince: _, ...back } = over.incident;
    expect(notifyFiring(back, undefined, [chat], later(1)).notifications).toHaveLength(1);
  });

  it('restarts the wait when it is inhibited again', () => {
    const over = notifyFiring({ ...slow, suppression }, undefined, [chat], { now }).incident;
    const again = notifyFiring(over, suppression, [chat], later(30)).incident;
    const free = notifyFiring(again, undefined, [chat], later(40)).incident;
    expect(notifyFiring(free, undefined, [chat], later(90)).notifications).toEqual([]);
    expect(notifyFiring(free, undefined, [chat], later(100)).notifications).toHaveLength(1);
  });

  it('does not wait after a silence', () => {
    const silenced = { ...slow, suppression: { kind: 'silence', id: 's' } as const };
    expect(notifyFiring(silenced, undefined, [chat], { now }).notifications).toHaveLength(1);
  });
});

it.each([
  [59_999, 0],
  [60_000, 1],
])('notifications › reminds after %d ms: %d', (after, count) => {
  const reported = { ...incident, notified: { mail: now.wall - after, chat: 0 } };
  expect(notifyFiring(reported, undefined, [chat, mail], { now }).notifications).toHaveLength(count);
});

describe('a resolve', () => {
  it('is sent if a receiver was notified of the incident', () => {
    const [notice] = notifyResolved(
      { ...incident, notified: { chat: 1 } },
      { now, externalUrl: 'https://w.example.org' },
    );
    expect(notice).toMatchObject({
      kind: 'resolve',
      due: now.wall,
      alert: {
        key: incident.key,
        episode: 7,
        status: 'resolved',
        endsAt: now.wall,
        generatorUrl: expect.stringMatching(/^https:\/\/w\.example\.org\/incidents\/hash of .*-7$/),
      },
    });
  });

  it('is not sent if no receiver was notified', () => {
    expect(notifyResolved(incident, { now })).toEqual([]);
  });
});
