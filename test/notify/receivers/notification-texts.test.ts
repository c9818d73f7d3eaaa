import { describe, expect, it } from 'vitest';
import { alertName } from '../../../src/alert/active-alert.ts';
import { renderAnnotations, withCurrentState } from '../../../src/alert/incident-texts.ts';
import type { Rule } from '../../../src/alert/rule.ts';
import { rules } from '../../../src/alert/rules/all.ts';
import { namesInTemplate } from '../../../src/alert/templates.ts';
import { Secret } from '../../../src/kernel/secret.ts';
import { type Alert, shortIncidentId } from '../../../src/model/alert.ts';
import type { Situation } from '../../../src/model/situation.ts';
import type { AlertsRequest } from '../../../src/notify/notifier.ts';
import { alertmanager } from '../../../src/notify/receivers/alertmanager.ts';
import { receivers } from '../../../src/notify/receivers/all.ts';
import { formatEmail } from '../../../src/notify/receivers/email.ts';
import { ntfy } from '../../../src/notify/receivers/ntfy.ts';
import { pagerduty } from '../../../src/notify/receivers/pagerduty.ts';
import { slack } from '../../../src/notify/receivers/slack.ts';
import { slackBot } from '../../../src/notify/receivers/slack-bot.ts';
import { teams } from '../../../src/notify/receivers/teams.ts';
import { webhook } from '../../../src/notify/receivers/webhook.ts';
import { templateValues } from '../../../src/notify/webhook-template.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { firingIncident } from '../../alert/incident-fixture.ts';
import { alertStart, alertsNotification, firingAlert } from '../../support/notifications.ts';
import { formatContext } from '../../support/receiver-settings.ts';

const annotations = {
  summary: 'Node m1 of prod is unreachable',
  description:
    'The health check of m1 has failed since 04:49:30 UTC: connection refused. Check that the machine is up.',
  title: 'Node m1 of prod is unreachable',
  related_events: 'GPE_1#2 changed from Online to Down 4s before',
  runbook_url: 'https://docs.example.org/runbook.md#node_unreachable',
  dashboard_url: 'https://grafana.example.org/d/graphwarden-cluster?var-node=m1',
};
const effect = {
  rule: 'service_not_online',
  severity: 'critical',
  summary: 'GPE_1#1 of prod is Down',
  startsAt: alertStart,
};
const cause = firingAlert({
  rule: 'node_unreachable',
  labels: { alertname: 'GraphdbNodeUnreachable', severity: 'critical', cluster_name: 'prod', node: 'm1' },
  annotations,
  effects: { count: 1, listed: [{ ...effect, severity: 'critical' }] },
  generatorUrl: 'https://warden.example.org/incidents/a1b2c3d4e5f6-3',
});
const acknowledged: Alert = {
  ...cause,
  annotations: { ...annotations, acknowledgement: 'by ada at 2026-09-22 04:52:00 UTC: restarting the host' },
};
const resolved: Alert = {
  ...cause,
  status: 'resolved',
  endsAt: alertStart + 3_905_000,
  annotations: { ...annotations, current_state: 'Node m1 of prod answers the health check.' },
};
const warning = firingAlert({
  key: 'b'.repeat(32),
  severity: 'warning',
  annotations: { summary: 'Disk /data is filling up' },
});

/** The same alert in several clusters. */
function inClusters(count: number, alert: Alert): readonly Alert[] {
  return Array.from({ length: count }, (_, at) => {
    const name = `c${at + 1}`;
    const summary = `Node m1 of ${name} is unreachable`;
    const labels = { ...alert.labels, cluster_name: name };
    return { ...alert, key: String(at).padStart(32, '0'), labels, annotations: { ...alert.annotations, summary } };
  });
}

const requests: Readonly<Record<string, AlertsRequest>> = {
  trigger: alertsNotification(cause),
  update: { ...alertsNotification(cause), isUpdate: true, due: 1 },
  reminder: { ...alertsNotification(cause), isReminder: true, due: 1 },
  acknowledged: { ...alertsNotification(acknowledged), acknowledgement: 'acknowledged', due: 1 },
  unacknowledged: { ...alertsNotification(cause), acknowledgement: 'unacknowledged', due: 1 },
  resolve: alertsNotification(resolved),
  group: alertsNotification(resolved, warning, { ...cause, key: 'c'.repeat(32) }),
  summary: { ...alertsNotification(...inClusters(25, cause)), isSummary: true },
  summary_resolve: { ...alertsNotification(...inClusters(7, resolved)), isSummary: true },
};

const secret = new Secret('https://hooks.example.org/x');
const context = { ...formatContext, detail: 'full' as const };
const formats: Readonly<Record<string, (request: AlertsRequest) => string>> = {
  alertmanager: (request) =>
    alertmanager.format(request, { ...context, options: { urls: ['http://am'] }, secrets: {} }).body,
  slack_bot: (request) =>
    slackBot.format(request, {
      ...context,
      options: { url: 'https://slack', channel: 'C0123456789' },
      secrets: { token: secret },
    }).body,
  pagerduty: ({ alerts: [alert = cause], ...request }) =>
    pagerduty.format(
      { ...request, alerts: [alert] },
      { ...context, options: { url: 'https://pd' }, secrets: { routing_key: secret } },
    ).body,
  slack: (request) => slack.format(request, { ...context, options: {}, secrets: { webhook_url: secret } }).body,
  teams: (request) => teams.format(request, { ...context, options: {}, secrets: { webhook_url: secret } }).body,
  ntfy: (request) =>
    ntfy.format(request, { ...context, options: { url: 'https://ntfy', topic: 't' }, secrets: { token: undefined } })
      .body,
  webhook: (request) =>
    webhook.format(request, { ...context, options: {}, secrets: { url: secret, hmac_key: undefined } }).body,
};

const names = Object.keys(requests);
const addresses = { from: 'a@example.org', to: ['b@example.org'] };
const cases = Object.keys(formats).flatMap((kind) => names.map((name) => ({ kind, name })));

/** Whether a receiver of this kind gets such a request. */
function isSent(kind: string, { alerts, isSummary }: AlertsRequest): boolean {
  const { traits } = receivers.find((one) => one.kind === kind) ?? {};
  return isSummary === true ? traits?.summarizes === true : alerts.length <= (traits?.maxBatch ?? 0);
}

it.each(names)('mail of a %s', async (name) => {
  const request = requests[name] ?? alertsNotification();
  const { subject, text } = formatEmail(request, 'full', addresses, digest);
  for (const alert of request.alerts.slice(0, 20)) expect(text).toContain(shortIncidentId(alert));
  expect(subject).toContain('critical');
  await expect(`Subject: ${subject}\n\n${text}`).toMatchFileSnapshot(`../../golden/notifications/email-${name}.txt`);
});

it.each(cases.filter(({ kind, name }) => isSent(kind, requests[name] ?? alertsNotification())))(
  'notification texts › $kind: $name',
  async ({ kind, name }) => {
    const body: unknown = JSON.parse(formats[kind]?.(requests[name] ?? alertsNotification()) ?? '');
    await expect(`${JSON.stringify(body, undefined, 2)}\n`).toMatchFileSnapshot(
      `../../golden/notifications/${kind}-${name}.json`,
    );
  },
);

function reversedTexts(texts: Alert['labels']): Alert['labels'] {
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, `${value}\u202e\u2066\u200f`]));
}

/** An alert with characters that reverse a text in each of its texts. */
function reversed(alert: Alert): Alert {
  return { ...alert, labels: reversedTexts(alert.labels), annotations: reversedTexts(alert.annotations) };
}
const reversedAlerts = [cause, acknowledged, resolved].map(reversed);

it.each(Object.keys(formats))('notification texts › %s gets no characters that reverse a text', (kind) => {
  for (const alert of reversedAlerts) {
    expect(formats[kind]?.(alertsNotification(alert))).not.toMatch(/\p{Bidi_Control}|\\u20[026]/u);
  }
});

it('mail gets no characters that reverse a text', () => {
  for (const alert of reversedAlerts) {
    const { subject, text, html = '' } = formatEmail(alertsNotification(alert), 'full', addresses, digest);
    expect(subject + text + html).not.toMatch(/\p{Bidi_Control}/u);
  }
});

it('every receiver type with its own body has golden files', () => {
  const kinds = receivers.map(({ kind }) => kind).filter((kind) => kind !== 'templated_webhook');
  expect([...Object.keys(formats), 'email'].toSorted()).toEqual(kinds.toSorted());
});

/** A situation in which nothing is known of the place of an alert. */
const nothingKnown: Situation = {
  cluster: 'prod',
  labels: {},
  nodes: [],
  collectors: [],
  replicas: [],
  partitions: [],
  tokens: [],
  guard: undefined,
  dropped: [],
  samples: () => [],
  slope: () => undefined,
  recentMaximum: () => undefined,
  recentMinimum: () => undefined,
  isFresh: () => false,
};

/** An alert of a rule after 12 minutes. */
function resolvedAlertOf(rule: Rule): Alert {
  const labels = Object.fromEntries(rule.labels.map((name) => [name, `${name}-1`]));
  const facts = Object.fromEntries(
    [rule.summary, rule.description].flatMap(namesInTemplate).map((name) => [name, '1']),
  );
  const own = { alertname: alertName(rule), severity: rule.severity, cluster_name: 'prod', ...labels };
  const incident = firingIncident(rule.name, labels, { facts, labels: own });
  const described = { ...incident, annotations: renderAnnotations(incident, rule, { rules: {}, templates: {} }) };
  const current = () => (rule.scope === 'cluster' ? (rule.current?.(nothingKnown, labels) ?? {}) : {});
  const ended = withCurrentState(described, rule, { current, removed: () => undefined });
  const { name, severity } = rule;
  return firingAlert({
    rule: name,
    severity,
    labels: own,
    annotations: ended.annotations,
    endsAt: alertStart + 720_000,
  });
}

/** Alerts of every rule: while they fire, and after their end. */
const everyAlert = rules.map((rule) => {
  const ended: Alert = { ...resolvedAlertOf(rule), status: 'resolved' };
  const { endsAt: _, ...firing } = ended;
  return { rule, ended, firing: { ...firing, status: 'firing' } satisfies Alert };
});

/** Names without a value become empty text. */
const incomplete = /\{\{|\}\}|undefined|NaN| {2}| [.,:;]|\(\)/;

describe.each(everyAlert)('$rule.name', ({ rule, ended, firing }) => {
  const current = ended.annotations.current_state ?? '';

  it('has complete texts without wrong plural forms', () => {
    const { summary = '', description = '' } = firing.annotations;
    for (const text of [summary, description, current]) {
      expect(text).not.toMatch(incomplete);
    }
    // A number in a text has a noun that fits: formatCount, or no noun after it.
    for (const text of [rule.summary, rule.description, rule.resolved ?? ''])
      expect(text).not.toMatch(/\}\} (?:queries|requests|replicas|runs|outages|notifications|days|nodes)\b/);
    expect([summary, description, current].map((text) => /^\S.*[^.]$/.test(text))).toEqual([true, false, false]);
  });

  it('is resolved with its severity, its duration and the state now in every text for people', () => {
    const request = alertsNotification(ended);
    const { subject, text } = formatEmail(request, 'full', { from: 'a@example.org', to: [] }, digest);
    expect(subject).toContain(`[RESOLVED ${rule.severity} after 12m] `);
    const webhookValues = templateValues(request, ended, { detail: 'full', name: 'one' });
    const texts = [text, `${webhookValues.state} ${webhookValues.description}`];
    for (const kind of ['slack', 'slack_bot', 'teams', 'ntfy']) texts.push(formats[kind]?.(request) ?? '');
    for (const one of texts) expect(one).toContain(`RESOLVED ${rule.severity} after 12m`);
    for (const one of texts) expect(one).toContain(JSON.stringify(current).slice(1, -1));
    const summary = formats.slack?.({ ...alertsNotification(ended, ended), isSummary: true }) ?? '';
    expect(summary).toContain(`RESOLVED 2 ${rule.severity} after 12m`);
    expect(summary).toContain(`, resolved after 12m: ${JSON.stringify(current).slice(1, -2)}`);
  });

  it('is resolved with the times and the state now in every message for programs', () => {
    for (const kind of ['webhook', 'alertmanager']) {
      const body = formats[kind]?.(alertsNotification(ended)) ?? '';
      for (const part of ['"endsAt"', '"startsAt"', `"severity":"${rule.severity}"`, JSON.stringify(current)])
        expect(body).toContain(part);
    }
  });

  it('fires with its severity in every title', () => {
    const request = alertsNotification(firing);
    expect(formatEmail(request, 'full', { from: 'a@example.org', to: [] }, digest).subject).toContain(
      `[FIRING ${rule.severity}] `,
    );
    for (const kind of ['slack', 'slack_bot', 'teams', 'ntfy'])
      expect(formats[kind]?.(request)).toContain(`FIRING ${rule.severity}`);
    expect(JSON.parse(formats.pagerduty?.(request) ?? '').payload.severity).toBe(rule.severity);
  });
});

it('a resolve that a receiver rejects is repeated with the state now', () => {
  const { text } = formatEmail(alertsNotification(resolved), 'short', { from: 'a@example.org', to: [] }, digest);
  expect(text).toContain('Node m1 of prod answers the health check.');
});

const long = 'x'.repeat(50_000);
const huge = firingAlert({
  annotations: {
    ...annotations,
    summary: `Cause ${long}`,
    description: long,
    related_events: `${long}\n${long}`,
    title: `Cause ${long}`,
  },
  labels: { ...cause.labels, env: long },
  generatorUrl: cause.generatorUrl,
});

it('notification texts › cuts texts of any length, but neither the incident nor the severity nor the beginning of the cause', () => {
  const id = shortIncidentId(huge);
  const request = alertsNotification(huge);
  const bodies = ['slack', 'teams', 'ntfy'].map((kind) => formats[kind]?.(request) ?? '');
  for (const body of bodies) {
    expect(body).toContain(id);
    expect(body).toContain('FIRING critical');
    expect(body).toContain('Cause xxx');
  }
  const { payload, dedup_key: key } = JSON.parse(formats.pagerduty?.(request) ?? '');
  expect([payload.summary.length <= 1024, payload.summary.startsWith('Cause '), payload.severity]).toEqual([
    true,
    true,
    'critical',
  ]);
  expect(key).toContain(huge.key);
  const mail = formatEmail(request, 'full', { from: 'a@example.org', to: [] }, digest);
  expect(mail.subject).toMatch(/^\[FIRING critical\] Cause x+…$/);
  expect(mail.text).toContain(`incident ${id}`);
});
