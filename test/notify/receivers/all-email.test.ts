import { describe, expect, it } from 'vitest';
import type { MailMessage, MailServer, SendMail } from '../../../src/kernel/mail.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { AlertsRequest, Notifier, ReceiverResponse } from '../../../src/notify/notifier.ts';
import { openNotifier } from '../../../src/notify/receivers/all.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { FakeFiles } from '../../support/fake-files.ts';
import { FakePool } from '../../support/fake-pool.ts';
import { alertsNotification, firingAlert } from '../../support/notifications.ts';
import { receiverSettings } from '../../support/receiver-settings.ts';

const forever = new AbortController().signal;

function tell(notifier: Notifier, more: Partial<AlertsRequest> = {}): Promise<ReceiverResponse> {
  const request = { ...alertsNotification(firingAlert(), firingAlert({ key: 'b' })), ...more };
  return notifier.send(request, 'full', Date.UTC(2026, 8, 22, 4, 53, 20), forever);
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
        return ok({ rejected: [{ address: 'x@b', reply: '550 no', isTemporary: false }], reply: '250 queued' });
      },
      digest,
      files,
    });
    const settings = receiverSettings('email', { ...options, username: 'u' }, { password: { file: 'secret' } });
    const notifier = open(settings, {});
    expect(await tell(notifier)).toMatchObject({
      kind: 'accepted',
      but: 'the mail server rejected x@b (550 no)',
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

  it('that some recipients rejected names them, and those that may accept it later', async () => {
    const rejected = [
      { address: 'gone@b', reply: '550 no', isTemporary: false },
      { address: 'grey@b', reply: '451 later', isTemporary: true },
    ];
    const mails: MailMessage[] = [];
    const results: Awaited<ReturnType<SendMail>>[] = [
      ok({ rejected, reply: '250 queued' }),
      err({ reason: 'refused', code: 451, message: 'why', rejected: rejected.slice(1) }),
      err({ reason: 'refused', code: 550, message: 'why', rejected: rejected.slice(0, 1) }),
      err({ reason: 'refused', code: 451, message: 'why', rejected: rejected.slice(1) }),
    ];
    const sendMail: SendMail = async (mail) => {
      mails.push(mail);
      return results.shift() ?? err({ reason: 'timeout', message: 'late' });
    };
    const open = openNotifier({ openPool: () => new FakePool(), sendMail, digest, files: new FakeFiles() });
    const notifier = open(receiverSettings('email', options), {});
    expect(await tell(notifier)).toMatchObject({
      kind: 'accepted',
      but: 'the mail server rejected gone@b (550 no), grey@b (451 later)',
      deferred: ['grey@b'],
      rejectsRecipient: true,
    });
    const recipients = ['grey@b'];
    expect(await tell(notifier, { recipients })).toMatchObject({ kind: 'accepted', deferred: ['grey@b'] });
    const last = await tell(notifier, { recipients });
    expect(last).toMatchObject({ kind: 'accepted', rejectsRecipient: true });
    expect(last).not.toHaveProperty('deferred');
    expect(await tell(notifier)).toMatchObject({ kind: 'unavailable', answered: true });
    expect(mails.map((mail) => mail.recipients)).toEqual([undefined, recipients, recipients, undefined]);
    expect(new Set(mails.map(({ id }) => id)).size).toBe(1);
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
