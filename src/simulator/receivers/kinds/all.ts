import type { Kind } from '../kind.ts';
import type { ReceiverKind } from '../letter.ts';
import { alertmanager } from './alertmanager.ts';
import { pagerduty } from './pagerduty.ts';
import { slack } from './slack.ts';
import { webhook } from './webhook.ts';

/** Every kind of fake receiver. */
export const kinds: Readonly<Record<ReceiverKind, Kind>> = { alertmanager, pagerduty, slack, webhook };
