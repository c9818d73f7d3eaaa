import type { z } from 'zod';
import type { HttpReply } from '../kernel/http.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Digest } from '../kernel/system.ts';
import type { Millis } from '../kernel/time.ts';
import { bodyExcerpt, evaluateFailure, type ReplyContext, secretUrlParts } from './evaluate-reply.ts';
import { configuredHeaders, configuredProxy, headerProblem } from './http-config.ts';
import { type EvaluateReply, openHttpPeers, type ReceiverRequest } from './http-peers.ts';
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
  /** Whether the receiver resolves alerts that are not sent again: open incidents are sent every minute. */
  readonly isLevelTriggered?: true;
  /** People read its messages: notifications of many groups about one rule become one summary. */
  readonly summarizes?: true;
  /** Its API cannot withdraw an acknowledgement. */
  readonly cannotUnacknowledge?: true;
  /** Settings that determine who is notified: after a change of one, open incidents are sent again. */
  readonly recipientKeys?: readonly string[];
}

/** Input of `format` in addition to the alerts. */
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
  format(request: AlertsRequest, context: FormatContext<Fields, Secrets>): ReceiverRequest;
  /** Absent if the receiver accepts alerts only. */
  formatDigest?(request: DigestRequest, context: FormatContext<Fields, Secrets>): ReceiverRequest;
  /** Maps a reply to a result: `evaluateReply`, unless the receiver deviates from the meaning of HTTP statuses. */
  evaluate(reply: HttpReply, context: ReplyContext, options: Options<Fields>): ReceiverResponse;
}

/** Declaration of a receiver that uses HTTP. */
export interface HttpReceiverDeclaration<Fields extends z.ZodRawShape, Secrets extends SecretFields>
  extends Omit<ReceiverDeclaration<Fields, Secrets>, 'traits' | 'open' | 'connection'>,
    HttpFormat<Fields, Secrets> {
  /** Default: `http`. */
  readonly connection?: 'http' | 'http_credentials';
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
  return { ...declaration, ...receiver({ connection: 'http', ...declaration, traits, open }) };
}

type Declaration = HttpReceiverDeclaration<z.ZodRawShape, SecretFields>;
type Context = OpenContext<z.ZodRawShape, SecretFields>;

function openSender(
  declaration: Declaration,
  context: Context,
  ports: NotifierPorts,
): Omit<Notifier, 'traits' | 'recipient'> {
  const peers = openHttpPeers(ports, context.http.tls);
  return {
    async send(request, detail, now, signal) {
      const refusal = refusalOf(request, declaration);
      if (refusal !== undefined) return { kind: 'refused', message: refusal };
      return await context.withSecrets(async (secrets) => {
        const made = outgoingRequests(declaration, request, { ...context, detail, now, secrets, digest: ports.digest });
        if (!made.ok) return { kind: 'broken', message: made.error };
        const texts = hiddenTexts(secrets, made.value);
        const evaluate: EvaluateReply = (reply, url) => {
          if (!reply.ok) return evaluateFailure(reply.error);
          const hidden = [...texts, ...secretUrlParts(url)];
          const response = declaration.evaluate(reply.value, { request, now, hidden }, context.options);
          return withEvidence(response, reply.value, hidden);
        };
        return await sendInOrder(made.value, (one) => peers.send(one, now, withRequest(one, evaluate), signal));
      });
    },
    close: () => peers.close(),
  };
}

/** Returns the requests with the configured headers and proxy; the error is a sentence about the configuration. */
function outgoingRequests(
  declaration: Declaration,
  request: NotificationRequest,
  context: FormatContext & Pick<Context, 'http'>,
): Result<readonly ReceiverRequest[], string> {
  const { http, secrets } = context;
  const problem = urlProblem(declaration.secrets, secrets);
  if (problem !== undefined) return err(problem);
  const configured = configuredHeaders(http, secrets);
  const proxy = configuredProxy(http, secrets);
  const gate = request.mayWrite === undefined ? {} : { mayWrite: request.mayWrite };
  const awaitsEveryPeer = request.kind === 'alerts' && request.awaitsEveryPeer === true;
  const requests = formatRequests(declaration, request, context).map(
    (one): ReceiverRequest => ({ ...one, headers: { ...configured, ...one.headers }, proxy, ...gate, awaitsEveryPeer }),
  );
  const wrong = requests.map(({ headers = {} }) => headerProblem(headers)).find((found) => found !== undefined);
  return wrong === undefined ? ok(requests) : err(wrong);
}

function formatRequests(
  declaration: Declaration,
  request: NotificationRequest,
  context: FormatContext,
): readonly ReceiverRequest[] {
  if (request.kind === 'digest') return [declaration.formatDigest?.(request, context) ?? { url: [], body: '' }];
  const requests = [declaration.format(request, context)];
  for (let next = requests[0]?.next; next !== undefined; next = next.next) requests.push(next);
  return requests;
}

/** Adds what the delivery log keeps of a reply. */
function withEvidence(response: ReceiverResponse, reply: HttpReply, hidden: readonly string[]): ReceiverResponse {
  const { status } = reply;
  return response.kind === 'accepted'
    ? { ...response, status, proof: bodyExcerpt(reply, hidden) }
    : { ...response, status };
}

function withRequest({ method = 'POST' }: ReceiverRequest, evaluate: EvaluateReply): EvaluateReply {
  return (reply, url) => ({ ...evaluate(reply, url), request: { method, url: addressOf(url) } });
}

/** Returns an address whose path and query, which may be secret, are replaced. */
function addressOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}/${pathname + search === '/' ? '' : 'REDACTED'}`;
}

/** Texts that a message must not contain: the secrets, plain and as encoded in headers. */
function hiddenTexts(secrets: CurrentSecrets, requests: readonly ReceiverRequest[]): readonly string[] {
  const { authorization = '' } = requests[0]?.headers ?? {};
  const encoded = authorization.replace(/^\S+ /, '');
  return [...Object.values(secrets).map((secret) => secret?.reveal() ?? ''), encoded];
}

/** Sends requests until one is not accepted. */
async function sendInOrder(
  requests: readonly ReceiverRequest[],
  send: (request: ReceiverRequest) => Promise<ReceiverResponse>,
): Promise<ReceiverResponse> {
  let response: ReceiverResponse = { kind: 'accepted' };
  for (const request of requests) {
    response = await send(request);
    if (response.kind !== 'accepted') return response;
  }
  return response;
}

type CurrentSecrets = Readonly<Record<string, Secret | undefined>>;

function refusalOf(request: NotificationRequest, declaration: Declaration): string | undefined {
  if (request.kind === 'digest')
    return declaration.formatDigest === undefined ? 'the receiver accepts alerts only' : undefined;
  const { length } = request.alerts;
  return length > 0 && (length <= declaration.limits.maxBatch || request.isSummary === true)
    ? undefined
    : `the receiver accepts 1 to ${declaration.limits.maxBatch} alerts`;
}

function urlProblem(fields: SecretFields, secrets: CurrentSecrets): string | undefined {
  for (const [name, { form }] of Object.entries(fields)) {
    const secret = secrets[name];
    const problem =
      form === undefined || form === 'text' || secret === undefined ? undefined : secretUrlProblem(secret);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
