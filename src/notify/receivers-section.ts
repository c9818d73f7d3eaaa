import { z } from 'zod';
import { oneSource, reference, secretFile, secretText } from '../graphdb/secret-field.ts';
import { urlField } from '../graphdb/url-field.ts';
import { Secret } from '../kernel/secret.ts';
import { emailField } from './email-section.ts';
import type { ReceiverSettings, ReceiverWay } from './settings.ts';

const alertmanager = z
  .strictObject({
    urls: z
      .array(urlField('http://am-0:9093'))
      .min(1)
      .describe('Every peer of it, each with its own address and no balancer between; a path is a prefix.')
      .meta({ examples: [['http://am-0:9093', 'http://am-1:9093']] }),
  })
  .transform(({ urls }): ReceiverWay => ({ kind: 'alertmanager', urls }));

const pagerduty = z
  .strictObject({
    routing_key: secretText
      .optional()
      .describe('Integration key of a service (Events API v2), inline or from an environment variable.')
      .meta({ examples: [reference('PAGERDUTY_KEY')] }),
    routing_key_file: secretFile
      .optional()
      .describe('File with that key, read again when it changes.')
      .meta({ examples: ['/run/secrets/pagerduty'] }),
    url: urlField('https://events.eu.pagerduty.com')
      .prefault('https://events.pagerduty.com')
      .describe('Where events go: the European service, or a proxy.'),
  })
  .transform((given, context): ReceiverWay => {
    const routingKey = oneSource(given.routing_key, given.routing_key_file);
    if (routingKey !== undefined) return { kind: 'pagerduty', url: given.url, routingKey };
    context.issues.push({ code: 'custom', message: 'needs one of routing_key and routing_key_file', input: '' });
    return z.NEVER;
  });

const slack = z
  .strictObject({
    webhook_url: secretText
      .refine((secret) => /^https?:$/.test(URL.parse(secret.reveal())?.protocol ?? ''), {
        error: 'must be an address that begins with https://',
      })
      .optional()
      .describe('Address of an incoming webhook; all of it is a secret, so it had better come from elsewhere.')
      .meta({ examples: [reference('SLACK_WEBHOOK')] }),
    webhook_url_file: secretFile
      .optional()
      .describe('File with that address, read again when it changes.')
      .meta({ examples: ['/run/secrets/slack'] }),
  })
  .transform((given, context): ReceiverWay => {
    const webhookUrl = oneSource(given.webhook_url, given.webhook_url_file);
    if (webhookUrl !== undefined) return { kind: 'slack', webhookUrl };
    context.issues.push({ code: 'custom', message: 'needs one of webhook_url and webhook_url_file', input: '' });
    return z.NEVER;
  });

const webhook = z
  .strictObject({
    url: urlField('https://hooks.example.org/graph')
      .optional()
      .describe("Where Alertmanager's payload, version 4, is posted."),
    url_file: secretFile
      .optional()
      .describe('File with that address, where all of it is a secret, read again when it changes.')
      .meta({ examples: ['/run/secrets/hook-url'] }),
    hmac_key: secretText
      .optional()
      .describe('Key that each letter is signed with, inline or from an environment variable.')
      .meta({ examples: [reference('HOOK_KEY')] }),
    hmac_key_file: secretFile
      .optional()
      .describe('File with that key, read again when it changes.')
      .meta({ examples: ['/run/secrets/hook'] }),
  })
  .transform((given, context): ReceiverWay => {
    const url = oneSource(given.url === undefined ? undefined : new Secret(given.url), given.url_file);
    const hmacKey = oneSource(given.hmac_key, given.hmac_key_file);
    const isSignedTwice = hmacKey === undefined && (given.hmac_key ?? given.hmac_key_file) !== undefined;
    if (url !== undefined && !isSignedTwice)
      return { kind: 'webhook', url, ...(hmacKey === undefined ? {} : { hmacKey }) };
    const message = url === undefined ? 'needs one of url and url_file' : 'takes one of hmac_key and hmac_key_file';
    context.issues.push({ code: 'custom', message, input: '' });
    return z.NEVER;
  });

const kinds = 'alertmanager, pagerduty, slack, webhook or email';

const receiver = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, {
        error: 'must be 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
      })
      .describe('What routes call it; also a label of metrics.')
      .meta({ examples: ['oncall'] }),
    heartbeat: z
      .boolean()
      .prefault(false)
      .describe("Whether it gets the dead-man's heartbeat once a minute: for a service that alarms when that stops."),
    alertmanager: alertmanager.optional().describe('Alertmanager, API v2.'),
    pagerduty: pagerduty.optional().describe('PagerDuty, Events API v2.'),
    slack: slack.optional().describe('Slack, an incoming webhook.'),
    webhook: webhook.optional().describe("A service that takes Alertmanager's webhook payload."),
    email: emailField.optional().describe('E-mail by SMTP.'),
  })
  .transform(({ name, heartbeat, ...ways }, context): ReceiverSettings => {
    const [way, ...others] = Object.values(ways).filter((one) => one !== undefined);
    const isOne = way !== undefined && others.length === 0;
    if (isOne && !(heartbeat && way.kind === 'pagerduty')) return { name, heartbeat, way };
    const message = isOne
      ? 'wakes people: a heartbeat there is an incident without end'
      : `needs exactly one of ${kinds}`;
    context.issues.push({ code: 'custom', message, input: '' });
    return z.NEVER;
  });

/** `alerts.receivers`: who can be told. */
export const receiversSection = z.array(receiver).prefault([]).describe('Who can be told, and how.');
