import type { Millis } from '../kernel/time.ts';
import type { AcknowledgementChange, Alert } from '../model/alert.ts';

/** An incident that began and ended before a receiver could be notified. */
export interface MissedIncident {
  readonly key: string;
  readonly episode: number;
  /** Absent for alerts about graphwarden itself. */
  readonly cluster?: string;
  readonly summary: string;
  readonly severity: Alert['severity'];
  /** ms since the epoch. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Alerts of one group, firing and resolved; at most as many as the receiver accepts. */
export interface AlertsRequest {
  readonly kind: 'alerts';
  readonly group: Readonly<Record<string, string>>;
  readonly alerts: readonly Alert[];
  /** A reminder never opens a new incident. */
  readonly isReminder: boolean;
  /** Set if the request reports a change of the acknowledgement of open incidents. */
  readonly acknowledgement?: AcknowledgementChange;
  /** Severity, cause or effects of incidents that the receiver knows changed; an update never opens a new incident. */
  readonly isUpdate?: true;
  /** Incidents of one rule in several groups, which the receiver gets as a summary. */
  readonly isSummary?: true;
  /** When a reminder, an update or an acknowledgement became due, ms since the epoch: distinguishes it from the one before. */
  readonly due?: number;
  /**
   * When each alert was opened at this receiver, in the order of `alerts`, ms since the epoch: distinguishes a trigger after a
   * resolve from the first one. Undefined for an alert that an earlier version of graphwarden opened.
   */
  readonly openedAt?: readonly (number | undefined)[];
  /**
   * Called synchronously before a request is written; it is not written if this returns false. Absent: it is always
   * written.
   */
  readonly mayWrite?: () => boolean;
  /** Reference that the receiver returned for the first notification of the incident; only in a request with one alert. */
  readonly reference?: string;
  /** Waits for the response of every peer of the receiver; otherwise, one that accepts is enough. */
  readonly awaitsEveryPeer?: true;
  /** Sent to these recipients behind the receiver only, because the others accepted it. As in `deferred` of a response. */
  readonly recipients?: readonly string[];
}

/** Incidents that a receiver missed during an outage; the open incidents follow as alerts. */
export interface DigestRequest {
  readonly kind: 'digest';
  /** The newest missed incidents, at most 50. */
  readonly missed: readonly MissedIncident[];
  /** Number of all missed incidents. */
  readonly count: number;
  readonly open: number;
  /** When the receiver's outage began, ms since the epoch; undefined if there was none. */
  readonly since?: number;
  /** As in {@link AlertsRequest}. */
  readonly mayWrite?: () => boolean;
}

/** Content of one request to a receiver. */
export type NotificationRequest = AlertsRequest | DigestRequest;

/** How much a request contains: after a rejection graphwarden sends the short form, then the minimal one. */
export type Detail = 'full' | 'short' | 'minimal';

/** Results of delivery attempts, as in the label of the metrics. */
export const deliveryResults = [
  'accepted',
  'partial',
  'limited',
  'unavailable',
  'timeout',
  'broken',
  'refused',
  'parked',
] as const;

/** One of {@link deliveryResults}. */
export type DeliveryResult = (typeof deliveryResults)[number];

/** Facts of an attempt for the delivery log and traces. */
interface ReplyEvidence {
  /** HTTP status, if there was a reply. */
  readonly status?: number;
  /** Beginning of the reply of a receiver that accepted the notification, without secrets. */
  readonly proof?: string;
  /** The last request of the attempt; absent if none was made. */
  readonly request?: SentRequest;
}

/** A request to a receiver, without secrets. */
export interface SentRequest {
  /** HTTP method; absent for another protocol. */
  readonly method?: string;
  /** Address of the server. A path or query, which may be secret, is `REDACTED`. */
  readonly url: string;
}

/** Meaning of a receiver's reply. Messages never contain a secret. */
export type ReceiverResponse = ReplyEvidence & ReplyMeaning;

/** Response after which the same request is tried again. */
export type RetriedResponse = ReplyEvidence & RetriedMeaning;

type ReplyMeaning =
  /**
   * `but` names the recipients behind the receiver that did not get the notification: those in `deferred` may accept it
   * later; with `rejectsRecipient`, a person must fix the address of another one. `reference` identifies the message at the
   * receiver, so that later notifications of the incident can update it.
   */
  | {
      readonly kind: 'accepted';
      readonly but?: string;
      readonly deferred?: readonly string[];
      readonly rejectsRecipient?: true;
      readonly reference?: string;
    }
  | RetriedMeaning
  /**
   * The receiver rejects this request. `rejectedIndexes` are the alerts at fault, if known. `otherPeer` is the response of a
   * peer that may accept the request later.
   */
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly rejectedIndexes?: readonly number[];
      readonly otherPeer?: RetriedResponse;
    };

type RetriedMeaning =
  /** 429, or 503 with `Retry-After`: the whole receiver waits. `wait` is undefined if the reply does not contain it. */
  | { readonly kind: 'limited'; readonly wait?: Millis; readonly message: string }
  /** The receiver may have accepted it: retry. `answered` is false if there was no reply. */
  | { readonly kind: 'unavailable'; readonly answered: boolean; readonly timedOut: boolean; readonly message: string }
  /** Wrong credentials or address: the receiver accepts nothing until a person changes the configuration. */
  | { readonly kind: 'broken'; readonly message: string };

/** Properties of a kind of receiver that delivery depends on. */
export interface NotifierTraits {
  /** Largest number of alerts in one request. */
  readonly maxBatch: number;
  /** Shortest time between two requests. */
  readonly minInterval: Millis;
  /** Largest number of requests a minute; undefined if there is no such limit. */
  readonly maxPerMinute?: number;
  readonly acceptsDigests: boolean;
  /** People read its messages: notifications of many groups about one rule become one summary. */
  readonly summarizes?: true;
  /** Its API cannot withdraw an acknowledgement. */
  readonly cannotUnacknowledge?: true;
  /** Each trigger wakes a person: informational alerts (`info`) are not sent. */
  readonly isPager?: true;
  /** Settings that determine who is notified: after a change of one, open incidents are sent again. */
  readonly recipientKeys?: readonly string[];
  /** Whether the receiver resolves alerts that are not sent again (Alertmanager): open incidents are sent every minute, resolved ones for a while. */
  readonly isLevelTriggered: boolean;
}

/** Connection to one configured receiver. */
export interface Notifier {
  readonly traits: NotifierTraits;
  /** Makes one attempt; never rejects. `now` is wall time, ms since the epoch. */
  send(request: NotificationRequest, detail: Detail, now: number, signal: AbortSignal): Promise<ReceiverResponse>;
  /**
   * Returns a digest of whom the receiver notifies; undefined while it is unknown, because a file with a secret is not
   * readable.
   */
  recipient(): Promise<string | undefined>;
  close(): Promise<void>;
}
