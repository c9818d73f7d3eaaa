import type { SimulatedReceiverApi } from '../../model/simulated-receiver.ts';
import type { Notifier } from '../notifier.ts';
import type { NotifierPorts, Receiver } from '../receiver.ts';
import type { DeliverySettings, ReceiverSettings } from '../settings.ts';
import { alertmanager } from './alertmanager.ts';
import { email } from './email.ts';
import { ntfy } from './ntfy.ts';
import { pagerduty } from './pagerduty.ts';
import { slack } from './slack.ts';
import { slackBot } from './slack-bot.ts';
import { teams } from './teams.ts';
import { templatedWebhook } from './templated-webhook.ts';
import { webhook } from './webhook.ts';

/** All kinds of receivers. The configuration, the chart, the documents and the demo derive from this list. */
export const receivers: readonly Receiver[] = [
  alertmanager,
  pagerduty,
  slack,
  slackBot,
  teams,
  ntfy,
  webhook,
  templatedWebhook,
  email,
];

/** Simulated twins by kind. */
export const simulatedReceiverApis: ReadonlyMap<string, SimulatedReceiverApi> = new Map(
  receivers.flatMap(({ kind, simulated }) => (simulated === undefined ? [] : [[kind, simulated] as const])),
);

/** Opens the connection to a receiver. Secrets in files are read again when the files change. */
export type OpenNotifier = (receiver: ReceiverSettings, settings: Pick<DeliverySettings, 'externalUrl'>) => Notifier;

/** Returns a function that opens receivers of every kind. */
export function openNotifier(ports: NotifierPorts): OpenNotifier {
  const byKind = new Map(receivers.map((receiver) => [receiver.kind, receiver]));
  return (settings, { externalUrl = '' }) => {
    const receiver = byKind.get(settings.kind);
    if (receiver === undefined) throw new Error(`there is no kind of receiver '${settings.kind}'`);
    return receiver.open(settings, externalUrl, ports);
  };
}
