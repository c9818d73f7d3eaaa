import type { Result } from './result.ts';

/** One message in plain text. */
export interface MailMessage {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** `Message-ID` without its angle brackets: the same for the same message, so that a repeat can be told. */
  readonly id: string;
  /** The message that this one answers, so that mailers show both as one conversation. */
  readonly inReplyTo?: string;
}

/** The way to a mail server. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else STARTTLS is used where the server offers it. */
  readonly secure: boolean;
  readonly username?: string;
  readonly password?: string;
}

/** Why a message was not taken. `code` is the server's answer (SMTP 4xx, 5xx), absent where there was none. Never holds a secret. */
export interface MailTrouble {
  readonly reason: 'unreachable' | 'timeout' | 'tls' | 'auth' | 'refused';
  readonly code?: number;
  readonly message: string;
}

/** The port to outgoing mail. Taken for at least one recipient it counts as sent: what is given are the others, mostly none. */
export type SendMail = (
  message: MailMessage,
  server: MailServer,
  signal: AbortSignal,
) => Promise<Result<readonly string[], MailTrouble>>;
