import { describe, expect, it, onTestFinished } from 'vitest';
import type { Alert } from '../../src/model/alert.ts';
import type { NotificationRequest, Notifier } from '../../src/notify/notifier.ts';
import { openNotifier } from '../../src/notify/receivers/all.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { sendMail } from '../../src/runtime/mail.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { freePort } from '../support/free-port.ts';
import { startMailServer } from '../support/mail-server.ts';
import { receiverSettings } from '../support/receiver-settings.ts';

const open = openNotifier({ openPool: openHttpPool, sendMail, digest, files: systemFiles });

function notifierAt(port: number): Notifier {
  const mailboxes = { from: 'The Warden <warden@example.org>', to: ['one@example.org', 'two@example.org'] };
  const smtp = { host: '127.0.0.1', port, secure: false };
  const notifier = open(receiverSettings('email', { smtp, ...mailboxes }), {});
  onTestFinished(() => notifier.close());
  return notifier;
}

const firing: Alert = {
  key: 'a1b2c3d4e5f60718',
  episode: 3,
  rule: 'service_not_online',
  severity: 'critical',
  labels: { alertname: 'GraphdbServiceNotOnline', cluster_name: 'größe' },
  annotations: { summary: 'GPE ist nicht online – größer €\r\nBcc: all@example.org', description: '.\n..\n.' },
  status: 'firing',
  startsAt: Date.UTC(2026, 8, 22, 4, 5, 6),
  generatorUrl: '',
};
const resolved: Alert = { ...firing, status: 'resolved', endsAt: firing.startsAt + 1 };

function notificationOf(alert: Alert): NotificationRequest {
  return { kind: 'alerts', group: {}, alerts: [alert], isReminder: false };
}

function send(notifier: Notifier, alert: Alert, within = 30_000) {
  return notifier.send(notificationOf(alert), 'full', Date.now(), AbortSignal.timeout(within));
}

describe('mail to a real server', () => {
  it('arrives at every recipient, and the resolved mail replies to the firing mail', async () => {
    const server = await startMailServer();
    const notifier = notifierAt(server.port);
    expect(await send(notifier, firing)).toMatchObject({ kind: 'accepted' });
    expect(await send(notifier, resolved)).toMatchObject({ kind: 'accepted' });
    const [first, second, ...more] = server.mails;
    expect(more).toEqual([]);
    expect(first).toMatchObject({ from: 'warden@example.org', to: ['one@example.org', 'two@example.org'] });
    expect(first?.headers['message-id']).toMatch(/^<[^<>\s]+@example\.org>$/);
    expect(second?.headers['in-reply-to']).toBe(first?.headers['message-id']);
    expect(second?.headers['message-id']).not.toBe(first?.headers['message-id']);
  });

  it('does not turn alert text into a header', async () => {
    const server = await startMailServer();
    await send(notifierAt(server.port), firing);
    expect(server.mails[0]?.headers.bcc).toBeUndefined();
    expect(server.mails[0]?.to).toHaveLength(2);
  });

  it('has the same content if it is sent again', async () => {
    const server = await startMailServer();
    const notifier = notifierAt(server.port);
    await send(notifier, firing);
    await send(notifier, firing);
    const ids = server.mails.map(({ headers }) => headers['message-id']);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  it.each([
    [450, 'unavailable'],
    [550, 'broken'],
    [552, 'refused'],
  ])('with the reply %d is %s, and accepted afterwards', async (code, kind) => {
    const server = await startMailServer();
    const notifier = notifierAt(server.port);
    server.refuse(code);
    expect(await send(notifier, firing)).toMatchObject({ kind });
    server.refuse(undefined);
    expect(await send(notifier, firing)).toMatchObject({ kind: 'accepted' });
    expect(server.mails).toHaveLength(1);
  });

  it('is retried if no server listens', async () => {
    const notifier = notifierAt(await freePort());
    expect(await send(notifier, firing)).toMatchObject({ kind: 'unavailable', answered: false });
  });
});
