import { describe, expect, it } from 'vitest';
import type { MailFailure } from '../../../src/kernel/mail.ts';
import type { Detail, NotificationRequest } from '../../../src/notify/notifier.ts';
import { email, evaluateMailFailure, formatEmail } from '../../../src/notify/receivers/email.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import {
  alertStart,
  alertsNotification,
  digestNotification,
  firingAlert,
  resolvedAlert,
} from '../../support/notifications.ts';

const options = { from: 'The Warden <warden@example.org>', to: ['a@example.org', 'b@example.org'] } as const;
const root = 'a1b2c3d4e5f60718293a4b5c6d7e8f90-3@example.org';

function mailOf(request: NotificationRequest, detail: Detail = 'full') {
  return formatEmail(request, detail, options, digest);
}

describe('mail about one incident', () => {
  it('contains the summary, the labels, the period and the links', () => {
    const { html = '', ...mail } = mailOf(alertsNotification(firingAlert()));
    expect(mail).toEqual({
      from: 'The Warden <warden@example.org>',
      to: ['a@example.org', 'b@example.org'],
      subject: '[FIRING critical] GPE_1#1 on m1 is down',
      id: root,
      text: [
        'FIRING critical: GPE_1#1 on m1 is down',
        '',
        'It went down at 04:50.',
        '',
        'since 2026-09-22 04:50:00 UTC',
        'cluster_name=prod, node=m1, partition=1, replica=1, service_name=GPE',
        'incident a1b2c3d4e5f6-3',
        '',
        'Incident: https://warden.example.org/alerts',
        'Runbook: https://example.org/runbook#service_not_online',
        'Dashboard: https://warden.example.org/',
        '',
      ].join('\n'),
    });
    expect(html).toContain('GPE_1#1 on m1 is down');
  });

  it('that resolves is a reply to the trigger', () => {
    const end = mailOf(alertsNotification(resolvedAlert()));
    expect(end).toMatchObject({ subject: '[RESOLVED critical after 3m] GPE_1#1 on m1 is down', inReplyTo: root });
    expect(end.id).not.toBe(root);
    expect(end.text).toContain('until 2026-09-22 04:53:00 UTC (3m)');
    expect(end.references).toEqual([root]);
  });

  it('that reminds is a reply to the trigger', () => {
    const reminder = mailOf({ ...alertsNotification(firingAlert()), isReminder: true });
    expect(reminder).toMatchObject({ subject: '[STILL FIRING critical] GPE_1#1 on m1 is down', inReplyTo: root });
    expect(reminder.id).not.toBe(root);
  });

  it.each([
    [{ isUpdate: true as const }, '[UPDATED critical] GPE_1#1 on m1 is down'],
    [{ acknowledgement: 'acknowledged' as const }, '[ACKNOWLEDGED critical] GPE_1#1 on m1 is down'],
    [{ acknowledgement: 'unacknowledged' as const }, '[UNACKNOWLEDGED critical] GPE_1#1 on m1 is down'],
  ])('with %j is a reply to the trigger', (change, subject) => {
    const mail = mailOf({ ...alertsNotification(firingAlert()), ...change, due: 1 });
    expect(mail).toMatchObject({ subject, inReplyTo: root, references: [root] });
    expect(mail.id).not.toBe(root);
  });

  it('keeps the subject of the first mail if the summary changes, and restores it from the brackets', () => {
    const annotations = { ...firingAlert().annotations, title: 'Disk /data is filling up: 9.8 GiB free' };
    const firing = firingAlert({ annotations: { ...annotations, summary: annotations.title } });
    const later = firingAlert({ annotations: { ...annotations, summary: 'Disk /data is filling up: 1.1 GiB free' } });
    const over = resolvedAlert({ annotations: later.annotations });
    const subjects = [
      mailOf(alertsNotification(firing)),
      mailOf({ ...alertsNotification(later), isReminder: true }),
      mailOf(alertsNotification(over)),
    ].map(({ subject }) => subject.replace(/^\[[^\]]*\] /, ''));
    expect(new Set(subjects)).toEqual(new Set([annotations.title]));
  });

  it('is the same in every retry', () => {
    expect(mailOf(alertsNotification(resolvedAlert()))).toEqual(mailOf(alertsNotification(resolvedAlert())));
    expect(mailOf(alertsNotification(firingAlert()), 'short').id).toBe(root);
  });

  it('in short form has few lines, in minimal form no server text', () => {
    expect(mailOf(alertsNotification(firingAlert()), 'short').text.split('\n')).toEqual([
      'FIRING critical: GPE_1#1 on m1 is down',
      '',
      'since 2026-09-22 04:50:00 UTC',
      'incident a1b2c3d4e5f6-3',
      '',
    ]);
    const least = mailOf(alertsNotification(firingAlert()), 'minimal');
    expect(least.subject).toBe('[FIRING critical] GraphdbServiceNotOnline prod');
    expect(least.text).not.toContain('GPE');
  });

  it('has a short subject of one line', () => {
    const { subject } = mailOf(
      alertsNotification(firingAlert({ annotations: { summary: `a\r\nBcc: x@y ${'z'.repeat(999)}` } })),
    );
    expect(subject).toMatch(/^\[FIRING critical\] a Bcc: x@y z+…$/);
    expect(subject.length).toBeLessThanOrEqual(180);
  });
});

describe('mail about several incidents', () => {
  const other = { key: 'b'.repeat(32) };

  it('counts firing and resolved alerts', () => {
    const mixed = mailOf(alertsNotification(firingAlert(), resolvedAlert(other), resolvedAlert({ key: 'c' })));
    expect(mixed.subject).toBe('[FIRING 1 critical, RESOLVED 2] GPE_1#1 on m1 is down (and 2 more)');
    expect(mixed.inReplyTo).toBeUndefined();
    expect(mixed.text.split('\n\n* * *\n\n')).toHaveLength(3);
    expect(mixed.references).toHaveLength(3);
  });

  it('begins with the most severe firing alert, whose severity the subject has', () => {
    const warning = firingAlert({ severity: 'warning', annotations: { summary: 'a warning' } });
    const critical = firingAlert({ ...other, annotations: { summary: 'a critical alert' } });
    const { subject, text } = mailOf(alertsNotification(resolvedAlert({ key: 'c' }), warning, critical));
    expect(subject).toBe('[FIRING 1 critical, 1 warning, RESOLVED 1] a critical alert (and 2 more)');
    expect(text).toMatch(
      /^FIRING critical: a critical alert\n.*FIRING warning: a warning\n.*RESOLVED critical after 3m/s,
    );
  });

  it('belongs to the conversations of all its incidents, which a later mail about one of them continues', () => {
    const ids = [root, `${other.key}-3@example.org`];
    expect(mailOf(alertsNotification(firingAlert(), firingAlert(other))).references).toEqual(ids);
    expect(mailOf(alertsNotification(resolvedAlert(other)))).toMatchObject({ inReplyTo: ids[1], references: [ids[1]] });
  });

  it('has a unique id', () => {
    const ids = [
      mailOf(alertsNotification(firingAlert(), firingAlert(other))),
      mailOf(alertsNotification(firingAlert(other), firingAlert())),
      mailOf(alertsNotification(resolvedAlert(), resolvedAlert(other))),
      mailOf(alertsNotification(firingAlert())),
      mailOf(digestNotification(2)),
      mailOf({ ...alertsNotification(firingAlert()), isReminder: true, due: alertStart }),
      mailOf({ ...alertsNotification(firingAlert()), isReminder: true, due: alertStart + 1 }),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[a-z0-9-]+@example\.org$/.test(id))).toBe(true);
  });

  it('can be a digest of missed incidents', () => {
    const mail = mailOf(digestNotification(60));
    expect(mail.subject).toBe('[graphwarden] 60 incidents ended before their notifications were sent');
    expect(mail.text).toContain('since 2026-09-22 04:50:00 UTC;');
    expect(mail.text).toContain('- warning: incident 49 (folded490000-50, ');
    expect(mail.text).toMatch(/\n… and 10 older\n$/);
    expect(mail.inReplyTo).toBeUndefined();
  });
});

describe('a sender without a domain', () => {
  it('uses an invalid domain in ids', () => {
    const bare = formatEmail(
      alertsNotification(firingAlert({ startsAt: alertStart })),
      'full',
      { from: 'root', to: [] },
      digest,
    );
    expect(bare.id).toMatch(/@graphwarden\.invalid$/);
  });
});

describe('evaluateMailFailure', () => {
  const message = 'why';
  const away = { kind: 'unavailable', answered: false, timedOut: false, message };

  it.each<[MailFailure, unknown]>([
    [{ reason: 'unreachable', message }, away],
    [
      { reason: 'tls', message },
      { kind: 'broken', message },
    ],
    [
      { reason: 'timeout', message },
      { ...away, timedOut: true },
    ],
    [
      { reason: 'auth', message },
      { kind: 'broken', message },
    ],
    [
      { reason: 'auth', code: 535, message },
      { kind: 'broken', message },
    ],
    [
      { reason: 'auth', code: 454, message },
      { ...away, answered: true },
    ],
    [
      { reason: 'refused', code: 421, message },
      { ...away, answered: true },
    ],
    [
      { reason: 'refused', code: 450, message },
      { ...away, answered: true },
    ],
    [
      { reason: 'refused', code: 452, message },
      { ...away, answered: true },
    ],
    [
      { reason: 'refused', code: 530, message },
      { kind: 'broken', message },
    ],
    [
      { reason: 'refused', code: 550, message },
      { kind: 'broken', message },
    ],
    [
      { reason: 'refused', code: 553, message },
      { kind: 'broken', message },
    ],
    [
      { reason: 'refused', code: 552, message },
      { kind: 'refused', message },
    ],
    [
      { reason: 'refused', code: 554, message },
      { kind: 'refused', message },
    ],
    [
      { reason: 'rejected', code: 554, message },
      { kind: 'broken', message },
    ],
    [
      { reason: 'rejected', code: 421, message },
      { ...away, answered: true },
    ],
    [
      { reason: 'refused', message },
      { kind: 'refused', message },
    ],
  ])('%j', (mailFailure, expected) => {
    expect(evaluateMailFailure(mailFailure)).toEqual(expected);
  });
});

it('e-mail accepts digests', () => {
  expect(email.traits).toMatchObject({ acceptsDigests: true, isLevelTriggered: false });
});
