import { describe, expect, it } from 'vitest';
import type { MailTrouble } from '../../../src/kernel/mail.ts';
import type { Detail, Letter } from '../../../src/notify/notifier.ts';
import { emailTraits, formatEmail, judgeMail } from '../../../src/notify/notifiers/email.ts';
import { digest } from '../../../src/runtime/digest.ts';
import { alertOf, alertsLetter, began, digestLetter, resolvedOf } from '../../support/letters.ts';

const way = { from: 'The Warden <warden@example.org>', to: ['a@example.org', 'b@example.org'] } as const;
const root = 'a1b2c3d4e5f60718293a4b5c6d7e8f90-3@example.org';

function mailOf(letter: Letter, detail: Detail = 'full') {
  return formatEmail(letter, detail, way, digest);
}

describe('mail about one incident', () => {
  it('says what, where, since when and what to do', () => {
    expect(mailOf(alertsLetter(alertOf()))).toEqual({
      from: 'The Warden <warden@example.org>',
      to: ['a@example.org', 'b@example.org'],
      subject: '[FIRING] GPE 1#1 on m1 is down',
      id: root,
      text: [
        'FIRING (critical): GPE 1#1 on m1 is down',
        'since 2026-09-22 04:50:00 UTC',
        'It went down at 04:50.',
        'alertname=GraphdbServiceNotOnline, cluster_name=prod, node=m1, partition=1, replica=1, service_name=GPE, severity=critical',
        'what to do: https://example.org/runbook#service_not_online',
        'the cluster: https://warden.example.org/',
        'incident a1b2c3d4e5f6-3',
        '',
      ].join('\n'),
    });
  });

  it('that ends answers the one that began it', () => {
    const end = mailOf(alertsLetter(resolvedOf()));
    expect(end).toMatchObject({ subject: '[RESOLVED] GPE 1#1 on m1 is down', inReplyTo: root });
    expect(end.id).not.toBe(root);
    expect(end.text).toContain('until 2026-09-22 04:53:00 UTC');
  });

  it('is a reminder in the same conversation', () => {
    const reminder = mailOf({ ...alertsLetter(alertOf()), again: true });
    expect(reminder).toMatchObject({ subject: '[STILL FIRING] GPE 1#1 on m1 is down', inReplyTo: root });
    expect(reminder.id).not.toBe(root);
  });

  it('is the same mail in every try', () => {
    expect(mailOf(alertsLetter(resolvedOf()))).toEqual(mailOf(alertsLetter(resolvedOf())));
    expect(mailOf(alertsLetter(alertOf()), 'short').id).toBe(root);
  });

  it('after a refusal says little, at last without texts of others', () => {
    expect(mailOf(alertsLetter(alertOf()), 'short').text.split('\n')).toHaveLength(4);
    const least = mailOf(alertsLetter(alertOf()), 'minimal');
    expect(least.subject).toBe('[FIRING] GraphdbServiceNotOnline prod');
    expect(least.text).not.toContain('GPE');
  });

  it('has a subject of one short line', () => {
    const { subject } = mailOf(alertsLetter(alertOf({ annotations: { summary: `a\r\nBcc: x@y ${'z'.repeat(999)}` } })));
    expect(subject).toMatch(/^\[FIRING\] a Bcc: x@y z+…$/);
    expect(subject.length).toBeLessThanOrEqual(180);
  });
});

describe('mail about several', () => {
  const other = { key: 'b'.repeat(32) };

  it('counts what fires and what is over', () => {
    const mixed = mailOf(alertsLetter(alertOf(), resolvedOf(other), resolvedOf({ key: 'c' })));
    expect(mixed.subject).toBe('[FIRING:1, RESOLVED:2] GPE 1#1 on m1 is down (and 2 more)');
    expect(mixed.inReplyTo).toBeUndefined();
    expect(mixed.text.split('\n\n')).toHaveLength(3);
  });

  it('has an id of its own', () => {
    const ids = [
      mailOf(alertsLetter(alertOf(), alertOf(other))),
      mailOf(alertsLetter(alertOf(other), alertOf())),
      mailOf(alertsLetter(resolvedOf(), resolvedOf(other))),
      mailOf(alertsLetter(alertOf())),
      mailOf(digestLetter(2)),
      mailOf({ ...alertsLetter(alertOf()), again: true, due: began }),
      mailOf({ ...alertsLetter(alertOf()), again: true, due: began + 1 }),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[a-z0-9-]+@example\.org$/.test(id))).toBe(true);
  });

  it('may be a digest of what was missed', () => {
    const mail = mailOf(digestLetter(60));
    expect(mail.subject).toBe('[graphwarden] 60 incidents over before they could be told');
    expect(mail.text).toContain('since 2026-09-22 04:50:00 UTC;');
    expect(mail.text).toContain('- warning: incident 49 (folded490000-50, ');
    expect(mail.text).toMatch(/\nand 10 older\n$/);
    expect(mail.inReplyTo).toBeUndefined();
  });
});

describe('a sender whose address tells no domain', () => {
  it('still gives ids that are none of others', () => {
    const bare = formatEmail(alertsLetter(alertOf({ startsAt: began })), 'full', { from: 'root', to: [] }, digest);
    expect(bare.id).toMatch(/@graphwarden\.invalid$/);
  });
});

describe('what a mail server answers', () => {
  const message = 'why';
  const away = { kind: 'unavailable', answered: false, timedOut: false, message };

  it.each<[MailTrouble, unknown]>([
    [{ reason: 'unreachable', message }, away],
    [{ reason: 'tls', message }, away],
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
      { reason: 'refused', message },
      { kind: 'refused', message },
    ],
  ])('%j', (trouble, meant) => {
    expect(judgeMail(trouble)).toEqual(meant);
  });
});

it('mail takes letters of every kind', () => {
  expect(emailTraits).toMatchObject({ takesDigests: true, forgets: false });
});
