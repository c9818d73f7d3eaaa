import type { TlsMaterial } from '../kernel/http.ts';
import { isLoopback } from '../kernel/loopback.ts';
import type { MailFailure, MailMessage, MailServer, RejectedRecipient, SendMail, SentMail } from '../kernel/mail.ts';
import { err, ok } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import { certificateProblems } from './http-failure.ts';
import { nodeTlsOptions, tlsMaterialProblem } from './tls-material.ts';

/** Timeouts for a caller without a deadline; usually the caller's signal ends an attempt. */
const connectionTimeout: Millis = 60_000;

/** Properties of an error of the mailer; each may be absent. */
interface MailerError {
  readonly code: string;
  /** Command that the server answered, such as `RCPT TO`; `CONN` for the greeting. */
  readonly command: string;
  readonly responseCode: number | undefined;
  readonly response: string;
}

/** Sends each message over a new connection. The mailer is loaded with the first message, because few installations send mail. */
export const sendMail: SendMail = async (message, server, signal) => {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(transportOptions(server));
  const headers = { 'auto-submitted': 'auto-generated' };
  try {
    const sent = await transport.sendMail({ ...mailOptions(message), headers, signal });
    return ok(sentMail(sent, server));
  } catch (error) {
    const rejected = rejectedRecipients(error, server);
    return err({ ...mailFailure(parseError(error), server), ...(rejected.length > 0 && { rejected }) });
  } finally {
    transport.close();
  }
};

function mailOptions({ from, to, recipients, subject, text, html, id, inReplyTo, references = [] }: MailMessage) {
  const parts = { subject, text, ...(html === undefined ? {} : { html }), messageId: `<${id}>` };
  const envelope = recipients === undefined ? {} : { envelope: { from, to: [...recipients] } };
  const content = { from, to: [...to], ...envelope, ...parts };
  const reply = inReplyTo === undefined ? {} : { inReplyTo: `<${inReplyTo}>` };
  return { ...content, ...reply, references: references.map((one) => `<${one}>`) };
}

function sentMail(reported: unknown, server: MailServer): SentMail {
  const { response } = propertiesOf(reported);
  return {
    rejected: rejectedRecipients(reported, server),
    reply: typeof response === 'string' ? redactedResponse(response, server.password) : '',
  };
}

/** Returns the rejected recipients that a result or an error of the mailer lists. */
function rejectedRecipients(reported: unknown, { password }: MailServer): readonly RejectedRecipient[] {
  const { rejectedErrors } = propertiesOf(reported);
  const errors: readonly unknown[] = Array.isArray(rejectedErrors) ? rejectedErrors : [];
  return errors.flatMap((error) => {
    const { recipient } = propertiesOf(error);
    const { response, responseCode = 0 } = parseError(error);
    if (typeof recipient !== 'string') return [];
    const isTemporary = responseCode >= 400 && responseCode < 500;
    return [{ address: recipient, reply: redactedResponse(response, password), isTemporary }];
  });
}

function propertiesOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function transportOptions({ host, port, secure, username, password, tls }: MailServer) {
  const material = tls ?? {};
  const auth = username === undefined ? {} : { auth: { user: username, pass: password ?? '' } };
  return {
    host,
    port,
    secure,
    ...auth,
    tls: { ...nodeTlsOptions(material), ...serverNameOption(material) },
    // A server, or an attacker in the path, that offers no TLS must get neither the password nor, where TLS is configured, the
    // mail in clear text.
    requireTLS: !secure && (tls !== undefined || (username !== undefined && !isLoopback(host))),
    connectionTimeout,
    greetingTimeout: connectionTimeout,
    socketTimeout: connectionTimeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function serverNameOption({ serverName }: TlsMaterial): { readonly servername?: string } {
  return serverName === undefined ? {} : { servername: serverName };
}

function parseError(error: unknown): MailerError {
  const { code, originalCode, command, responseCode, response } = propertiesOf(error);
  // The code of the socket is more precise than the code of the mailer.
  const own = typeof originalCode === 'string' ? originalCode : code;
  return {
    code: typeof own === 'string' ? own : '',
    command: typeof command === 'string' ? command : '',
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
    response: typeof response === 'string' ? response : '',
  };
}

const unreachableReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name is unknown',
  EDNS: 'the host name cannot be looked up',
  EAI_AGAIN: 'the host name cannot be looked up',
  EPROTOCOL: 'the response is not SMTP; another service or TLS may listen on the port',
};

function mailFailure(error: MailerError, { password, tls }: MailServer): MailFailure {
  const { code, responseCode, response } = error;
  const status = responseCode === undefined ? {} : { code: responseCode };
  if (/^E(NO)?AUTH/.test(code)) {
    return {
      reason: 'auth',
      ...status,
      message: `the mail server rejected the user name or password${bracketed(responseCode)}`,
    };
  }
  if (code === 'EABORT' || code === 'ETIMEDOUT') {
    return { reason: 'timeout', message: 'no complete response within the deadline' };
  }
  if (isTls(code)) return { reason: 'tls', message: tlsFailureMessage(code, tls ?? {}) };
  if (responseCode !== undefined) {
    return {
      reason: isAboutMessage(error) ? 'refused' : 'rejected',
      code: responseCode,
      message: `the mail server answered ${redactedResponse(response, password)}`,
    };
  }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    return { reason: 'refused', message: 'the mail server rejected the sender, a recipient or the message' };
  }
  return { reason: 'unreachable', message: unreachableReasons[code] ?? `the connection failed${bracketed(code)}` };
}

/** Whether the server read the message before it answered, or knew its size (552). */
function isAboutMessage({ command, responseCode }: MailerError): boolean {
  return command === 'DATA' || responseCode === 552;
}

function tlsFailureMessage(code: string, tls: TlsMaterial): string {
  return (
    tlsMaterialProblem(tls, Date.now()) ?? certificateProblems[code] ?? `TLS with the mail server failed (${code})`
  );
}

function isTls(code: string): boolean {
  return /^(ETLS|ERR_SSL|ERR_TLS|ERR_OSSL|EPROTO$|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_)/.test(code);
}

function bracketed(code: string | number | undefined): string {
  return code === undefined || code === '' ? '' : ` (${code})`;
}

/** Returns the response of the server in one line of at most 200 characters, without the password, which it may repeat. */
function redactedResponse(response: string, password: string | undefined): string {
  const text = response.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return (password === undefined || password === '' ? text : text.replaceAll(password, '[secret]')).slice(0, 200);
}
