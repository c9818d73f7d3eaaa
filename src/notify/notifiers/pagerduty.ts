import type { SecretReader } from '../../graphdb/secret-reader.ts';
import type { OpenHttpPool } from '../../kernel/http.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Alert } from '../../model/alert.ts';
import type { Detail, Notifier, NotifierTraits } from '../notifier.ts';
import { excerpt, isPage, pathParts } from './excerpt.ts';
import { openHttpWay } from './http-way.ts';
import { judge, type Reading } from './judge.ts';
import { headline, incidentId, isoTime, jsonOf, shorten } from './texts.ts';
import { withSecret } from './with-secret.ts';

/** What delivery has to know of PagerDuty: about 120 events a minute a key are let through. */
export const pagerdutyTraits: NotifierTraits = {
  batch: 1,
  spacing: 0,
  perMinute: 100,
  takesDigests: false,
  wakesPeople: true,
  forgets: false,
};

/** PagerDuty reads 512 KB of an event; the rest is for what JSON and UTF-8 add. */
const mostBytes = 500 * 1024;
const longestSummary = 1024;
const longestDetail = 4096;
const longestField = 255;

/** The body of `POST /v2/enqueue`. A reminder carries the key of its incident: it never opens another. */
export function formatPagerduty(alert: Alert, detail: Detail, routingKey: Secret): string {
  const event = { routing_key: routingKey.reveal(), dedup_key: incidentId(alert) };
  if (alert.status === 'resolved') return jsonOf({ ...event, event_action: 'resolve' });
  const body = jsonOf({ ...event, event_action: 'trigger', ...trigger(alert, detail) });
  const isTooLong = new TextEncoder().encode(body).length > mostBytes;
  return isTooLong && detail === 'full' ? formatPagerduty(alert, 'short', routingKey) : body;
}

function trigger(alert: Alert, detail: Detail): Readonly<Record<string, unknown>> {
  const { labels, severity, startsAt } = alert;
  const payload = {
    summary: headline(alert, detail, longestSummary),
    source: shorten(labels.node || labels.host_id || labels.cluster_name || 'graphwarden', longestField),
    severity,
    timestamp: isoTime(startsAt),
    custom_details: detail === 'full' ? details(alert) : { episode: String(alert.episode) },
  };
  if (detail !== 'full') return { payload };
  const { service_name: component, cluster_name: group } = labels;
  const links = linksOf(alert);
  return {
    payload: { ...payload, ...given({ component, group, class: alert.rule }) },
    ...(links.length === 0 ? {} : { links }),
    client: 'graphwarden',
    ...(isAddress(alert.generatorUrl) ? { client_url: alert.generatorUrl } : {}),
  };
}

function details({ labels, annotations, episode }: Alert): Readonly<Record<string, string>> {
  const texts = { ...labels, ...annotations, episode: String(episode) };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, shorten(text, longestDetail)]));
}

function given(fields: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, text = '']) => (text === '' ? [] : [[name, shorten(text, longestField)]])),
  );
}

function linksOf({ annotations }: Alert): readonly { readonly href: string; readonly text: string }[] {
  const { runbook_url: runbook = '', dashboard_url: dashboard = '' } = annotations;
  return [
    { href: runbook, text: 'What to do' },
    { href: dashboard, text: 'State of the cluster' },
  ].filter(({ href }) => isAddress(href));
}

function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text);
}

function readingOf(url: string, routingKey: Secret): Reading {
  return {
    accept: (reply) =>
      isPage(reply) ? { kind: 'broken', message: 'a page for browsers answered' } : { kind: 'accepted' },
    explain: (reply) => excerpt(reply, [routingKey.reveal(), ...pathParts(url)]),
  };
}

/** Sends events, one at a time. */
export function openPagerduty(url: string, routingKey: SecretReader, openPool: OpenHttpPool): Notifier {
  const way = openHttpWay(openPool);
  return {
    traits: pagerdutyTraits,
    async send(letter, detail, now, signal) {
      const [alert, ...others] = letter.kind === 'alerts' ? letter.alerts : [];
      if (alert === undefined || others.length > 0) return { kind: 'refused', message: 'takes one incident at a time' };
      return await withSecret(routingKey, async (key) => {
        const reply = await way.post(`${url}/v2/enqueue`, formatPagerduty(alert, detail, key), {}, signal);
        return judge(reply, now, readingOf(url, key));
      });
    },
    close: () => way.close(),
  };
}
