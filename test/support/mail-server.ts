import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A message as a mail server got it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** By name in lower case; folded lines are one. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it came over the wire, behind the headers. */
  readonly body: string;
}

/** A real mail server on loopback that delivers nothing. */
export interface MailServer {
  readonly port: number;
  /** Accepted mails. */
  readonly mails: readonly ReceivedMail[];
  /** From now on it refuses recipients, or one of them, with this code; undefined takes them again. */
  refuse(code: number | undefined, recipient?: string): void;
}

/** Starts one without users and TLS, until the test ends. */
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
