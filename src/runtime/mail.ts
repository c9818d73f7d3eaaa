import type { TlsMaterial } from '../kernel/http.ts';
import { isLoopback } from '../kernel/loopback.ts';
import type { MailFailure, MailMessage, MailServer, SendMail, SentMail } from '../kernel/mail.ts';
import { err, ok } from '../kernel/result.ts';
import type { Millis } from '../kernel/time.ts';
import { certificateProblems } from './http-failure.ts';
import { nodeTlsOptions, tlsMaterialProblem } from './tls-material.ts';

/** Timeouts for a caller without a deadline; usually the caller's signal ends an attempt. */
const connectionTimeout: Millis = 60_000;

/** Properties of an error of the mailer; each may be absent. */
interface MailerError {
  readonly code: string;
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
    return err(mailFailure(parseError(error), server));
  } finally {
    transport.close();
  }
};

function mailOptions({ from, to, subject, text, html, id, inReplyTo, references = [] }: MailMessage) {
  const content = { from, to: [...to], subject, text, ...(html === undefined ? {} : { html }), messageId: `<${id}>` };
  const reply = inReplyTo === undefined ? {} : { inReplyTo: `<${inReplyTo}>` };
  return { ...content, ...reply, references: references.map((one) => `<${one}>`) };
}

function sentMail(reported: unknown, { password }: MailServer): SentMail {
  const { rejected, response }: { readonly rejected?: unknown; readonly response?: unknown } =
    typeof reported === 'object' && reported !== null ? reported : {};
  return {
    rejected: Array.isArray(rejected) ? rejected.filter((one) => typeof one === 'string') : [],
    reply: typeof response === 'string' ? redactedResponse(response, password) : '',
  };
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
  const given: object = typeof error === 'object' && error !== null ? error : {};
  const { code, originalCode, responseCode, response }: Readonly<Record<string, unknown>> = { ...given };
  // The code of the socket is more precise than the code of the mailer.
  const own = typeof originalCode === 'string' ? originalCode : code;
  return {
    code: typeof own === 'string' ? own : '',
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

function mailFailure({ code, responseCode, response }: MailerError, { password, tls }: MailServer): MailFailure {
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
      reason: 'refused',
      code: responseCode,
      message: `the mail server answered ${redactedResponse(response, password)}`,
    };
  }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    return { reason: 'refused', message: 'the mail server rejected the sender, a recipient or the message' };
  }
  return { reason: 'unreachable', message: unreachableReasons[code] ?? `the connection failed${bracketed(code)}` };
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

/** Returns the response of the server, which may repeat the request. */
function redactedResponse(response: string, password: string | undefined): string {
  const text = response.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return (password === undefined || password === '' ? text : text.replaceAll(password, '[secret]')).slice(0, 200);
}
