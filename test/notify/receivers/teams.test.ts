import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/kernel/secret.ts';
import type { AlertsRequest, Detail } from '../../../src/notify/notifier.ts';
import { teams } from '../../../src/notify/receivers/teams.ts';
import { receivedAt } from '../../simulator/receivers/request-fixtures.ts';
import { alertsNotification, digestNotification, firingAlert, resolvedAlert } from '../../support/notifications.ts';
import { formatContext } from '../../support/receiver-settings.ts';
import { twinOf } from '../../support/simulated-receivers.ts';

const context = { ...formatContext, options: {}, secrets: { webhook_url: new Secret('https://teams.test/x') } };

function bodyOf(request: AlertsRequest, detail: Detail = 'full'): string {
  return teams.format(request, { ...context, detail }).body;
}

/** The text of each block, as a channel shows it. */
function linesOf(body: string): readonly string[] {
  return JSON.parse(body).attachments[0].content.body.map(
    ({ inlines }: { readonly inlines: readonly { readonly text: string }[] }) =>
      inlines.map(({ text }) => text).join(''),
  );
}

describe('a Teams message', () => {
  it('is an Adaptive Card posted to the webhook', () => {
    const { url, body } = teams.format(alertsNotification(firingAlert()), context);
    expect(url).toBe('https://teams.test/x');
    expect(JSON.parse(body)).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: { type: 'AdaptiveCard', version: '1.4', body: expect.any(Array) },
        },
      ],
    });
  });

  it('contains summary, description, labels, period, incident and runbook', () => {
    const body = bodyOf(alertsNotification(firingAlert()));
    expect(linesOf(body)).toEqual([
      'FIRING critical: GPE_1#1 on m1 is down',
      'It went down at 04:50.',
      'cluster_name=prod, node=m1, partition=1, replica=1, service_name=GPE',
      'since 2026-09-22 04:50:00 UTC (a1b2c3d4e5f6-3) Incident Runbook Dashboard',
    ]);
    expect(body).toContain('"url":"https://example.org/runbook#service_not_online"');
  });

  it.each([
    [firingAlert(), 'Attention'],
    [firingAlert({ severity: 'warning' }), 'Warning'],
    [firingAlert({ severity: 'info' }), 'Accent'],
    [resolvedAlert(), 'Good'],
  ])('has a color for the state', (alert, color) => {
    expect(bodyOf(alertsNotification(alert))).toContain(`"color":"${color}"`);
  });

  it('names reminders and resolved alerts', () => {
    expect(bodyOf({ ...alertsNotification(firingAlert()), isReminder: true })).toContain('STILL FIRING critical');
    expect(bodyOf(alertsNotification(resolvedAlert()))).toContain('RESOLVED critical');
  });

  it('has two lines for each alert in short form and no server text in minimal form', () => {
    const request = alertsNotification(firingAlert());
    expect(linesOf(bodyOf(request, 'short'))).toHaveLength(2);
    expect(bodyOf(request, 'minimal')).not.toContain('GPE');
  });

  it('falls back to the short form if it would be larger than 26 KB', () => {
    const annotations = { summary: '€'.repeat(900), description: '€'.repeat(2000) };
    const alerts = Array.from({ length: 10 }, (_, at) => firingAlert({ episode: at + 1, annotations }));
    const body = bodyOf(alertsNotification(...alerts));
    expect(new TextEncoder().encode(body).length).toBeLessThan(28 * 1024);
    expect(linesOf(body)).toHaveLength(20);
  });

  it('interprets no Markdown of the server', () => {
    const annotations = { summary: '[here](http://x)', description: '# big' };
    expect(bodyOf(alertsNotification(firingAlert({ annotations })))).not.toContain('"TextBlock"');
  });

  it('can be a digest of missed incidents', () => {
    const body = teams.formatDigest?.(digestNotification(60), context).body ?? '';
    expect(linesOf(body)).toHaveLength(52);
    expect(linesOf(body)[1]).toContain('• warning: incident 0 (');
  });
});

describe('simulated Teams', () => {
  const twin = twinOf('teams');

  it('keeps a notification for each line, with the id of the incident', () => {
    const { reply, kept } = twin.handle(bodyOf(alertsNotification(firingAlert()), 'short'), receivedAt);
    expect(reply.status).toBe(202);
    expect(kept.map(({ episode }) => episode)).toEqual(['', 'a1b2c3d4e5f6-3']);
  });

  it('rejects messages that are too large or not a card', () => {
    expect(twin.handle('x'.repeat(29 * 1024), receivedAt)).toMatchObject({ kept: [], reply: { status: 413 } });
    expect(twin.handle('{"text":"x"}', receivedAt)).toMatchObject({ kept: [], reply: { status: 400 } });
  });
});
