import { describe, expect, it, onTestFinished } from 'vitest';
import type { Alert } from '../../src/model/alert.ts';
import type { Letter, Notifier } from '../../src/notify/notifier.ts';
import { openNotifier } from '../../src/notify/open-notifier.ts';
import { digest } from '../../src/runtime/digest.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { sendMail } from '../../src/runtime/mail.ts';
import { startMailServer } from '../support/mail-server.ts';
import { freePort } from '../support/ports.ts';

const open = openNotifier({ openPool: openHttpPool, sendMail, digest, files: systemFiles });

function notifierAt(port: number): Notifier {
  const mailboxes = { from: 'The Warden <warden@example.org>', to: ['one@example.org', 'two@example.org'] };
  const way = { kind: 'email', host: '127.0.0.1', port, secure: false, ...mailboxes } as const;
  const notifier = open({ name: 'mail', heartbeat: false, way }, {});
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

function letterOf(alert: Alert): Letter {
  return { kind: 'alerts', group: {}, alerts: [alert], again: false };
}

function send(notifier: Notifier, alert: Alert, within = 30_000) {
  return notifier.send(letterOf(alert), 'full', Date.now(), AbortSignal.timeout(within));
}

describe('mail to a real server', () => {
  it('arrives at everybody, and the end of an incident answers its beginning', async () => {
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

  it('lets no text of an alert become a header', async () => {
    const server = await startMailServer();
    await send(notifierAt(server.port), firing);
    expect(server.mails[0]?.headers.bcc).toBeUndefined();
    expect(server.mails[0]?.to).toHaveLength(2);
  });

  it('is the same mail when it is sent again', async () => {
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
  ])('that is answered with %d is %s, and taken afterwards', async (code, kind) => {
    const server = await startMailServer();
    const notifier = notifierAt(server.port);
    server.refuse(code);
    expect(await send(notifier, firing)).toMatchObject({ kind });
    server.refuse(undefined);
    expect(await send(notifier, firing)).toMatchObject({ kind: 'accepted' });
    expect(server.mails).toHaveLength(1);
  });

  it('is tried again where nobody listens', async () => {
    const notifier = notifierAt(await freePort());
    expect(await send(notifier, firing)).toMatchObject({ kind: 'unavailable', answered: false });
  });
});
