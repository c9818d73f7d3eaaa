import { createSecretReader, type SecretReader } from '../graphdb/secret-reader.ts';
import type { Digest } from '../kernel/digest.ts';
import type { OpenHttpPool } from '../kernel/http.ts';
import type { SendMail } from '../kernel/mail.ts';
import type { SecretSource } from '../kernel/secret.ts';
import type { Files } from '../kernel/system.ts';
import type { Notifier } from './notifier.ts';
import { openAlertmanager } from './notifiers/alertmanager.ts';
import { openEmail } from './notifiers/email.ts';
import { openPagerduty } from './notifiers/pagerduty.ts';
import { openSlack } from './notifiers/slack.ts';
import { openWebhook } from './notifiers/webhook.ts';
import type { DeliverySettings, ReceiverSettings } from './settings.ts';

/** The outside as notifiers need it. */
export interface NotifierPorts {
  readonly openPool: OpenHttpPool;
  readonly sendMail: SendMail;
  readonly digest: Digest;
  readonly files: Files;
}

/** Opens the way to a receiver. Secrets in files are read again when these have changed. */
export type OpenNotifier = (receiver: ReceiverSettings, settings: Pick<DeliverySettings, 'externalUrl'>) => Notifier;

/** Knows all kinds of receivers. */
export function openNotifier(ports: NotifierPorts): OpenNotifier {
  const { openPool, digest, files } = ports;
  const reader = (source: SecretSource): SecretReader => createSecretReader(source, files);
  const readerIfAny = (source: SecretSource | undefined) => (source === undefined ? undefined : reader(source));
  return ({ name, way }, { externalUrl = '' }) => {
    if (way.kind === 'alertmanager') return openAlertmanager(way.urls, openPool);
    if (way.kind === 'pagerduty') return openPagerduty(way.url, reader(way.routingKey), openPool);
    if (way.kind === 'slack') return openSlack(reader(way.webhookUrl), openPool);
    if (way.kind === 'email') return openEmail(way, readerIfAny(way.password), ports);
    const parts = { url: reader(way.url), hmacKey: readerIfAny(way.hmacKey), openPool, digest };
    return openWebhook(parts, { receiver: name, externalUrl });
  };
}
