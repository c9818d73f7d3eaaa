import { describe, expect, it } from 'vitest';
import { alertText } from '../../src/notify/alert-text.ts';
import { mailHtml } from '../../src/notify/mail-html.ts';
import { firingAlert, resolvedAlert } from '../support/notifications.ts';

const occasion = { isReminder: false };

/** Returns what a client shows: the texts of the elements, one a line. */
function shown(html: string): string {
  return html
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
}

describe('mail in HTML', () => {
  it('shows state, summary, texts, lists, links, period, labels and incident', () => {
    const annotations = { ...firingAlert().annotations, related_events: 'm2 failed its health check 4s before' };
    const listed = [
      { rule: 'service_not_online', severity: 'warning', summary: 'GPE_1#1 is Down', startsAt: 0 },
    ] as const;
    const alert = firingAlert({ annotations, effects: { count: 1, listed } });
    expect(shown(mailHtml({ title: 't', sections: [alertText(alert, occasion, 'full')] })).split('\n')).toEqual([
      'FIRING critical',
      'GPE_1#1 on m1 is down',
      'It went down at 04:50.',
      'Effects (1)',
      'warning: GPE_1#1 is Down, since 00:00:00 UTC',
      'Shortly before or after',
      'm2 failed its health check 4s before',
      'Incident',
      'Runbook',
      'Dashboard',
      'since 2026-09-22 04:50:00 UTC',
      'cluster_name=prod, node=m1, partition=1, replica=1, service_name=GPE',
      'incident a1b2c3d4e5f6-3',
      'Sent by graphwarden.',
    ]);
  });

  it.each([
    [firingAlert(), 'critical'],
    [firingAlert({ severity: 'warning' }), 'warning'],
    [firingAlert({ severity: 'info' }), 'info'],
    [resolvedAlert(), 'resolved'],
  ])('has a color for the state $1, in a light and in a dark scheme', (alert, tone) => {
    const html = mailHtml({ title: '', sections: [alertText(alert, occasion, 'full')] });
    expect(html).toContain(`<div class="${tone}" style="color:#`);
    expect(html).toContain(`.${tone}{color:#`);
  });

  it('escapes every text', () => {
    const evil = '<script>alert("1")</script>\u0000\'&';
    const annotations = {
      summary: evil,
      description: evil,
      related_events: evil,
      runbook_url: `https://x/"onclick=${evil}`,
    };
    const alert = firingAlert({ annotations, labels: { node: evil }, generatorUrl: 'https://x/"><b>' });
    const html = mailHtml({ title: evil, sections: [alertText(alert, occasion, 'full')] });
    expect(html).not.toMatch(/<script|<b>|"onclick/);
    expect(html).not.toContain('\u0000');
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
  });

  it('contains no external resources', () => {
    const html = mailHtml({ title: '', sections: [alertText(firingAlert(), occasion, 'full')] });
    expect(html).not.toMatch(/<img|<link|<script|src=|url\(/);
  });
});
