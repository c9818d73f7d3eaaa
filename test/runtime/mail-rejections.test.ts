import { once } from 'node:events';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { expect, it, onTestFinished } from 'vitest';
import type { MailFailure } from '../../src/kernel/mail.ts';
import { sendMail } from '../../src/runtime/mail.ts';

/** Returns why a mail server with these settings does not accept a mail. */
async function failureWith(options: SMTPServerOptions): Promise<MailFailure | undefined> {
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const address = listening.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const message = { from: 'a@example.org', to: ['b@example.org'], subject: 's', text: 't', id: 'c@example.org' };
  const sent = await sendMail(message, { host: '127.0.0.1', port, secure: false }, AbortSignal.timeout(20_000));
  return sent.ok ? undefined : sent.error;
}

function rejection(responseCode: number): Error {
  return Object.assign(new Error('no'), { responseCode });
}

it.each<[string, SMTPServerOptions]>([
  ['connection', { onConnect: (_, done) => done(rejection(554)) }],
  ['sender', { onMailFrom: (_, __, done) => done(rejection(554)) }],
  ['only recipient', { onRcptTo: (_, __, done) => done(rejection(554)) }],
])('a permanent rejection of the %s is not one of the message', async (_, options) => {
  expect(await failureWith(options)).toMatchObject({ reason: 'rejected', code: 554 });
});

it('a permanent rejection after the content is one of the message', async () => {
  const onData: SMTPServerOptions['onData'] = (stream, _, done) =>
    void stream.resume().on('end', () => done(rejection(554)));
  expect(await failureWith({ onData })).toMatchObject({ reason: 'refused', code: 554 });
});

it('a permanent rejection because of the size is one of the message', async () => {
  expect(await failureWith({ onMailFrom: (_, __, done) => done(rejection(552)) })).toMatchObject({
    reason: 'refused',
    code: 552,
  });
});
