import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MailFailure, MailMessage, MailServer } from '../../src/kernel/mail.ts';
import { sendMail } from '../../src/runtime/mail.ts';
import { selfSigned } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import { startMailServer } from '../support/mail-server.ts';
import { authority, keyPair } from '../support/tls.ts';

const message: MailMessage = {
  from: 'warden@example.org',
  to: ['one@example.org'],
  subject: 'größer',
  text: 'two\n.\nlines\n',
  id: 'a-1@example.org',
};
const forever = new AbortController().signal;
const hush = 'canary-of-a-password';

/** A mail server with settings of its own. */
async function startServer(options: SMTPServerOptions): Promise<number> {
  const server = new SMTPServer({ logger: false, ...options });
  // The server reports clients that disconnect during a handshake, which is intended here.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const address = listening.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Mail server with the given replies, independent of the commands. */
async function startTalker(talk: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    talk(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function failureOf(port: number, more: Partial<MailServer> = {}): Promise<MailFailure | undefined> {
  const sent = await sendMail(message, { host: '127.0.0.1', port, secure: false, ...more }, forever);
  expect(JSON.stringify(sent)).not.toContain(hush);
  return sent.ok ? undefined : sent.error;
}

describe('a mail', () => {
  it('arrives if the server accepts it, and otherwise returns the reason', async () => {
    const server = await startMailServer();
    server.refuse(550, 'two@example.org');
    const both = { ...message, to: ['one@example.org', 'two@example.org'] };
    const sent = await sendMail(both, { host: '127.0.0.1', port: server.port, secure: false }, forever);
    const rejected = [{ address: 'two@example.org', reply: '550 no', isTemporary: false }];
    expect(sent).toEqual({ ok: true, value: { rejected, reply: '250 OK: message queued' } });
    expect(server.mails.map(({ to }) => to)).toEqual([['one@example.org']]);
  });

  it('can be sent to some of its recipients, with the headers of all', async () => {
    const server = await startMailServer();
    const to = ['one@example.org', 'Two <two@EXAMPLE.org>'];
    const again = { ...message, to, recipients: ['two@example.org'] };
    expect(await sendMail(again, { host: '127.0.0.1', port: server.port, secure: false }, forever)).toMatchObject({
      ok: true,
    });
    expect(server.mails.map((mail) => [mail.to, mail.headers.to])).toEqual([
      [['two@example.org'], 'one@example.org, Two <two@example.org>'],
    ]);
  });

  it('that no recipient gets names all of them, and which may get it later', async () => {
    const server = await startMailServer();
    server.refuse(451);
    expect(await failureOf(server.port)).toMatchObject({
      code: 451,
      rejected: [{ address: 'one@example.org', reply: '451 no', isTemporary: true }],
    });
  });

  it('arrives with its headers and parts', async () => {
    const server = await startMailServer();
    const answered = {
      ...message,
      to: ['one@example.org', 'two@example.org'],
      inReplyTo: 'b-1@example.org',
      references: ['c-1@example.org', 'b-1@example.org'],
    };
    expect(await sendMail(answered, { host: '127.0.0.1', port: server.port, secure: false }, forever)).toEqual({
      ok: true,
      value: { rejected: [], reply: '250 OK: message queued' },
    });
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]).toMatchObject({
      from: 'warden@example.org',
      to: ['one@example.org', 'two@example.org'],
      headers: {
        'message-id': '<a-1@example.org>',
        'in-reply-to': '<b-1@example.org>',
        references: '<c-1@example.org> <b-1@example.org>',
        'auto-submitted': 'auto-generated',
        subject: expect.stringMatching(/^=\?UTF-8\?/),
      },
    });
  });

  it('that is not a reply starts a conversation', async () => {
    const server = await startMailServer();
    await failureOf(server.port);
    expect(Object.keys(server.mails[0]?.headers ?? {})).not.toContain('in-reply-to');
  });

  it.each([421, 450, 550, 554])(
    'whose recipients are all answered with %d is rejected with that code',
    async (code) => {
      const server = await startMailServer();
      server.refuse(code);
      expect(await failureOf(server.port)).toMatchObject({
        reason: 'rejected',
        code,
        message: expect.stringContaining(`the mail server answered ${code}`),
      });
    },
  );
});

describe('user and password', () => {
  const authenticated = (accept: boolean): SMTPServerOptions => ({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth(auth, _, done) {
      if (accept && auth.username === 'u' && auth.password === hush) done(null, { user: 'u' });
      else done(Object.assign(new Error(`wrong: ${auth.password}`), { responseCode: 535 }));
    },
    onData(stream, _, done) {
      stream.resume().on('end', () => done());
    },
  });

  it('are sent to a server that requests authentication', async () => {
    const port = await startServer(authenticated(true));
    expect(await failureOf(port, { username: 'u', password: hush })).toBeUndefined();
  });

  it('that are wrong are reported, and not shown', async () => {
    const port = await startServer(authenticated(false));
    expect(await failureOf(port, { username: 'u', password: hush })).toEqual({
      reason: 'auth',
      code: 535,
      message: 'the mail server rejected the user name or password (535)',
    });
  });

  it('that the server repeats are not shown', async () => {
    const port = await startServer({
      ...authenticated(true),
      onMailFrom(_, __, done) {
        done(Object.assign(new Error(`no ${hush} here`), { responseCode: 550 }));
      },
    });
    expect(await failureOf(port, { username: 'u', password: hush })).toMatchObject({
      code: 550,
      message: expect.stringContaining('no [secret] here'),
    });
  });

  it('are not sent without TLS, except to loopback', async () => {
    const received: string[] = [];
    const port = await startTalker((socket) => {
      socket.on('data', (chunk) => {
        received.push(chunk.toString('utf8'));
        socket.write('250-there\r\n250 AUTH PLAIN\r\n');
      });
      socket.write('220 here\r\n');
    });
    // The same machine by a name that is not known to be it.
    const failure = await failureOf(port, { host: '::ffff:127.0.0.1', username: 'u', password: hush });
    expect(failure).toMatchObject({ reason: 'tls' });
    expect(received.join('')).not.toMatch(/AUTH/);
    expect(received.join('')).not.toContain(Buffer.from(hush).toString('base64').slice(4, 20));
  });
});

/** Accepts a mail without keeping it. */
const drain: NonNullable<SMTPServerOptions['onData']> = (stream, _, done) => {
  stream.resume().on('end', () => done());
};

describe('TLS', () => {
  it.each([true, false])('with an unknown authority fails, implicit TLS %s', async (secure) => {
    const port = await startServer({ ...selfSigned('localhost'), secure, authOptional: true });
    expect(await failureOf(port, { secure })).toMatchObject({ reason: 'tls' });
  });

  it('uses the CA, the client certificate and the server name of the receiver', async () => {
    const insisting = { ...keyPair('server'), ca: [authority], requestCert: true, rejectUnauthorized: true };
    for (const secure of [true, false]) {
      const port = await startServer({ ...insisting, secure, authOptional: true, onData: drain });
      const tls = { ca: authority, serverName: 'localhost', ...keyPair('client') };
      expect(await failureOf(port, { secure, tls })).toBeUndefined();
    }
  });

  it.each([
    ['a CA that did not sign it', { ca: keyPair('other').cert }, /unknown authority/],
    ['another server name', { ca: authority, serverName: 'elsewhere.test' }, /another name/],
    ['a CA that has expired', { ca: keyPair('expired').cert }, /^the certificate in ca_file expired at 2021/],
    [
      'the key of another certificate',
      { ca: authority, cert: keyPair('client').cert, key: keyPair('other').key },
      /^the key in key_file does not belong to the certificate in cert_file$/,
    ],
  ])('fails with %s', async (_, tls, expected) => {
    const port = await startServer({ ...keyPair('server'), secure: true, authOptional: true, onData: drain });
    expect(await failureOf(port, { secure: true, tls })).toMatchObject({
      reason: 'tls',
      message: expect.stringMatching(expected),
    });
  });

  it('is required if it is configured, and skips checks only if configured so', async () => {
    const plain = await startMailServer();
    expect(await failureOf(plain.port, { tls: { ca: authority } })).toMatchObject({ reason: 'tls' });
    const port = await startServer({ ...keyPair('other'), secure: true, authOptional: true, onData: drain });
    expect(await failureOf(port, { secure: true, tls: { insecureSkipVerify: true } })).toBeUndefined();
  });

  it('is missing on a server with plain SMTP', async () => {
    const { port } = await startMailServer();
    expect(await failureOf(port, { secure: true })).toMatchObject({ reason: 'tls' });
  });
});

describe('a failing server', () => {
  it('does not listen', async () => {
    expect(await failureOf(await freePort())).toEqual({
      reason: 'unreachable',
      message: 'the connection was refused',
    });
  });

  it('is another service', async () => {
    const port = await startTalker((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await failureOf(port)).toMatchObject({ reason: 'unreachable' });
  });

  it('closes the connection', async () => {
    const port = await startTalker((socket) => {
      socket.on('data', () => socket.destroy());
      socket.write('220 here\r\n');
    });
    expect(await failureOf(port)).toMatchObject({ reason: 'unreachable' });
  });

  it('does not answer within the deadline, and the connection ends', async () => {
    const deadline = new AbortController();
    let closed: Promise<unknown> = Promise.resolve();
    const port = await startTalker((socket) => {
      closed = once(socket, 'close');
      socket.resume();
      deadline.abort();
    });
    const sent = await sendMail(message, { host: '127.0.0.1', port, secure: false }, deadline.signal);
    expect(sent).toEqual({
      ok: false,
      error: { reason: 'timeout', message: 'no complete response within the deadline' },
    });
    await closed;
  });

  it('is not contacted if the deadline has already passed', async () => {
    const port = await freePort();
    const sent = await sendMail(message, { host: '127.0.0.1', port, secure: false }, AbortSignal.abort());
    expect(sent).toMatchObject({ ok: false, error: { reason: 'timeout' } });
  });
});
