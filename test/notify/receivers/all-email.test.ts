import { describe, expect, it } from 'vitest';
import type { MailMessage, MailServer } from '../../../src/kernel/mail.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { Notifier, ReceiverResponse } from '../../../src/notify/notifier.ts';
import { openNotifier } from '../../../src/notify/receivers/all.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { FakeFiles } from '../../support/fake-files.ts';
import { FakePool } from '../../support/fake-pool.ts';
import { alertsNotification, firingAlert } from '../../support/notifications.ts';
import { receiverSettings } from '../../support/receiver-settings.ts';

const forever = new AbortController().signal;

function tell(notifier: Notifier): Promise<ReceiverResponse> {
  return notifier.send(alertsNotification(firingAlert()), 'full', Date.UTC(2026, 8, 22, 4, 53, 20), forever);
}

describe('e-mail', () => {
  const smtp = { host: 'mail', port: 465, secure: true };
  const options = { smtp, from: 'a@b', to: ['c@d'] };

  it('is sent with the current user and password', async () => {
    const sent: [MailMessage, MailServer, AbortSignal][] = [];
    const files = new FakeFiles({ secret: 'first' });
    const open = openNotifier({
      openPool: () => new FakePool(),
      sendMail: async (...given) => {
        sent.push(given);
        return ok({ rejected: ['x@b'], reply: '250 queued' });
      },
      digest,
      files,
    });
    const settings = receiverSettings('email', { ...options, username: 'u' }, { password: { file: 'secret' } });
    const notifier = open(settings, {});
    expect(await tell(notifier)).toMatchObject({
      kind: 'accepted',
      but: 'the mail server rejected x@b',
      proof: '250 queued',
    });
    files.write('secret', 'second');
    await tell(notifier);
    const server = { host: 'mail', port: 465, secure: true, username: 'u' };
    expect(sent.map((one) => one[1])).toEqual([
      { ...server, password: 'first' },
      { ...server, password: 'second' },
    ]);
    expect(sent[0]?.[2]).toBe(forever);
    files.remove('secret');
    expect(await tell(notifier)).toMatchObject({ kind: 'broken' });
    await notifier.close();
  });

  it('needs neither user nor password', async () => {
    const servers: MailServer[] = [];
    const sendMail = async (_: MailMessage, server: MailServer) => {
      servers.push(server);
      return err({ reason: 'timeout', message: 'late' } as const);
    };
    const open = openNotifier({ openPool: () => new FakePool(), sendMail, digest, files: new FakeFiles() });
    const given = await tell(open(receiverSettings('email', options), {}));
    const request = { url: 'smtps://mail:465' };
    expect(given).toEqual({ kind: 'unavailable', answered: false, timedOut: true, message: 'late', request });
    expect(servers).toEqual([{ host: 'mail', port: 465, secure: true }]);
  });
});
