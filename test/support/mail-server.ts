import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** Mail that a mail server received. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers by name in lower case; folded lines are joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** Raw body after the headers. */
  readonly body: string;
}

/** Real mail server on loopback that accepts mails and does not deliver them. */
export interface MailServer {
  readonly port: number;
  /** Accepted mails. */
  readonly mails: readonly ReceivedMail[];
  /** Rejects all recipients, or one of them, with this code from now on; accepts them again if the code is undefined. */
  refuse(code: number | undefined, recipient?: string): void;
}

/** Starts a mail server without users and TLS until the test ends. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refusal: number | undefined;
  let refused: string | undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo({ address }, __, done) {
      const isTaken = refusal === undefined || (refused !== undefined && address !== refused);
      done(isTaken ? null : Object.assign(new Error('no'), { responseCode: refusal }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const to = rcptTo.map(({ address }) => address);
        mails.push({ from, to, ...partsOf(Buffer.concat(chunks).toString('utf8')) });
        done();
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    mails,
    refuse: (code, recipient) => {
      [refusal, refused] = [code, recipient];
    },
  };
}

function partsOf(text: string): Pick<ReceivedMail, 'headers' | 'body'> {
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { headers, body: text.slice(end + 4) };
}
