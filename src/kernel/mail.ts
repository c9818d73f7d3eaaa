import type { TlsMaterial } from './http.ts';
import type { Result } from './result.ts';

/** One message in plain text, and in HTML with the same content. */
export interface MailMessage {
  readonly from: string;
  readonly to: readonly string[];
  /** Sends the message to these addresses only; its headers still name all of `to`. As in {@link RejectedRecipient}. */
  readonly recipients?: readonly string[] | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** `Message-ID` without angle brackets; the same for a repeated message, so that mail clients recognize it. */
  readonly id: string;
  /** `Message-ID` of the message that this one replies to, so that mail clients show both as one conversation. */
  readonly inReplyTo?: string;
  /** `Message-ID`s of the conversation, the oldest first. An id groups messages even if its own message was never sent. */
  readonly references?: readonly string[];
}

/** Address and credentials of a mail server. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS if the server offers it. */
  readonly secure: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: TlsMaterial;
}

/**
 * Why a message was not accepted. `refused` is about this message; `rejected` is about the connection, the sender or all
 * recipients, whatever the message. `code` is the server's reply (SMTP 4xx, 5xx), absent if there was none. Never
 * contains a secret.
 */
export interface MailFailure {
  readonly reason: 'unreachable' | 'timeout' | 'tls' | 'auth' | 'rejected' | 'refused';
  readonly code?: number;
  readonly message: string;
  /** All recipients, if the server rejected each of them; otherwise absent. */
  readonly rejected?: readonly RejectedRecipient[];
}

/** A recipient that the server rejected. */
export interface RejectedRecipient {
  readonly address: string;
  /** Reply of the server, such as `451 4.7.1 Greylisted`; at most 200 characters, without the password. */
  readonly reply: string;
  /** Whether the server may accept the recipient later (4xx). */
  readonly isTemporary: boolean;
}

/** A message that the server accepted. */
export interface SentMail {
  /** Recipients that the server rejected. */
  readonly rejected: readonly RejectedRecipient[];
  /** Last reply of the server, such as `250 2.0.0 Ok: queued as 4F1A2`; at most 200 characters, without the password. */
  readonly reply: string;
}

/** Port to outgoing mail. A message that one recipient accepts counts as sent. */
export type SendMail = (
  message: MailMessage,
  server: MailServer,
  signal: AbortSignal,
) => Promise<Result<SentMail, MailFailure>>;
