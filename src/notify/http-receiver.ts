import type { z } from 'zod';
import type { HttpReply } from '../kernel/http.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Digest } from '../kernel/system.ts';
import type { Millis } from '../kernel/time.ts';
import { evaluateFailure, type ReplyContext, secretUrlParts } from './evaluate-reply.ts';
import { openHttpPeers, type PostRequest } from './http-peers.ts';
import type {
  AlertsRequest,
  Detail,
  DigestRequest,
  NotificationRequest,
  Notifier,
  ReceiverResponse,
} from './notifier.ts';
import {
  type NotifierPorts,
  type OpenContext,
  type Options,
  type Receiver,
  type ReceiverDeclaration,
  receiver,
  type SecretFields,
  type SecretValues,
} from './receiver.ts';
import { secretUrlProblem } from './secret-attempts.ts';

/** Limits of a receiver's API. */
export interface ReceiverLimits {
  /** Largest number of alerts in a request. */
  readonly maxBatch: number;
  /** Shortest time between two requests; default 0. */
  readonly minInterval?: Millis;
  readonly maxPerMinute?: number;
  /** Each trigger wakes a person: informational alerts and heartbeats are not sent. */
  readonly isPager?: true;
  /** It resolves what is not sent again: open incidents are re-sent every minute. */
  readonly isLevelTriggered?: true;
  /** Its API cannot withdraw an acknowledgement. */
  readonly cannotUnacknowledge?: true;
}

/** What `format` uses besides the alerts. */
export interface FormatContext<
  Fields extends z.ZodRawShape = z.ZodRawShape,
  Secrets extends SecretFields = SecretFields,
> {
  readonly detail: Detail;
  /** Wall time, ms since the epoch. */
  readonly now: number;
  /** Configured name of the receiver. */
  readonly name: string;
  readonly externalUrl: string;
  readonly options: Options<Fields>;
  readonly secrets: SecretValues<Secrets>;
  readonly digest: Digest;
}

/** The two pure functions of a receiver that uses HTTP. */
export interface HttpFormat<Fields extends z.ZodRawShape, Secrets extends SecretFields> {
  format(request: AlertsRequest, context: FormatContext<Fields, Secrets>): PostRequest;
  /** Absent if the receiver accepts alerts only. */
  formatDigest?(request: DigestRequest, context: FormatContext<Fields, Secrets>): PostRequest;
  /** Maps a reply to a result: `evaluateReply`, unless the receiver deviates from the meaning of HTTP statuses. */
  evaluate(reply: HttpReply, context: ReplyContext): ReceiverResponse;
}

/** Declaration of a receiver that uses HTTP. */
export interface HttpReceiverDeclaration<Fields extends z.ZodRawShape, Secrets extends SecretFields>
  extends Omit<ReceiverDeclaration<Fields, Secrets>, 'traits' | 'open'>,
    HttpFormat<Fields, Secrets> {
  readonly limits: ReceiverLimits;
}

/** Declares a receiver that uses HTTP: `format` makes a request, `evaluate` maps the reply; the rest is common to all. */
export function httpReceiver<Fields extends z.ZodRawShape, const Secrets extends SecretFields>(
  declaration: HttpReceiverDeclaration<Fields, Secrets>,
): Receiver & HttpFormat<Fields, Secrets>;
/** Implementation for any fields and secrets. */
export function httpReceiver(declaration: Declaration): Receiver & HttpFormat<z.ZodRawShape, SecretFields> {
  const acceptsDigests = declaration.formatDigest !== undefined;
  const traits = { minInterval: 0, isLevelTriggered: false, acceptsDigests, ...declaration.limits };
  const open = (context: Context, ports: NotifierPorts) => ({ traits, ...openSender(declaration, context, ports) });
  return { ...declaration, ...receiver({ ...declaration, traits, open }) };
}

type Declaration = HttpReceiverDeclaration<z.ZodRawShape, SecretFields>;
type Context = OpenContext<z.ZodRawShape, SecretFields>;

function openSender(
  declaration: Declaration,
  context: Context,
  { openPool, digest }: NotifierPorts,
): Omit<Notifier, 'traits'> {
  const { secrets: fields } = declaration;
  const peers = openHttpPeers(openPool);
  return {
    async send(request, detail, now, signal) {
      const refusal = refusalOf(request, declaration);
      if (refusal !== undefined) return { kind: 'refused', message: refusal };
      return await context.withSecrets(async (secrets) => {
        const problem = urlProblem(fields, secrets);
        if (problem !== undefined) return { kind: 'broken', message: problem };
        const post = formatRequest(declaration, request, { ...context, detail, now, secrets, digest });
        const texts = Object.values(secrets).map((secret) => secret?.reveal() ?? '');
        return await peers.send(
          post,
          now,
          (reply, url) =>
            reply.ok
              ? declaration.evaluate(reply.value, { request, now, hidden: [...texts, ...secretUrlParts(url)] })
              : evaluateFailure(reply.error),
          signal,
        );
      });
    },
    close: () => peers.close(),
  };
}

function formatRequest(declaration: Declaration, request: NotificationRequest, context: FormatContext): PostRequest {
  if (request.kind === 'alerts') return declaration.format(request, context);
  return declaration.formatDigest?.(request, context) ?? { url: [], body: '' };
}

function refusalOf(request: NotificationRequest, declaration: Declaration): string | undefined {
  if (request.kind === 'digest')
    return declaration.formatDigest === undefined ? 'the receiver accepts alerts only' : undefined;
  const { length } = request.alerts;
  return length > 0 && length <= declaration.limits.maxBatch
    ? undefined
    : `the receiver accepts 1 to ${declaration.limits.maxBatch} alerts`;
}

function urlProblem(fields: SecretFields, secrets: Readonly<Record<string, Secret | undefined>>): string | undefined {
  for (const [name, { form }] of Object.entries(fields)) {
    const secret = secrets[name];
    const problem =
      form === undefined || form === 'text' || secret === undefined ? undefined : secretUrlProblem(secret);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
