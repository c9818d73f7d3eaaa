import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/kernel/secret.ts';
import type { Detail, NotificationRequest } from '../../../src/notify/notifier.ts';
import { slack } from '../../../src/notify/receivers/slack.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';
import { alertsNotification, digestNotification, firingAlert, resolvedAlert } from '../../support/notifications.ts';
import { formatContext, receiverSettings } from '../../support/receiver-settings.ts';
import { portsOver } from './receiver-ports.ts';

function bodyOf(request: NotificationRequest, detail: Detail = 'full'): string {
  const context = {
    ...formatContext,
    detail,
    options: {},
    secrets: { webhook_url: new Secret('http://slack.test/x') },
  };
  return request.kind === 'alerts'
    ? slack.format(request, context).body
    : (slack.formatDigest?.(request, context).body ?? '');
}

function textOf(request: NotificationRequest, detail: Detail = 'full'): string {
  return JSON.parse(bodyOf(request, detail)).text;
}

function sectionsOf(request: NotificationRequest): readonly string[] {
  const { blocks = [] } = JSON.parse(bodyOf(request));
  return blocks.map((block: { readonly text: { readonly text: string } }) => block.text.text);
}

describe('a Slack message', () => {
  it('contains a line for each alert with the id of its incident', () => {
    expect(textOf(alertsNotification(firingAlert()))).toBe('FIRING critical: GPE_1#1 on m1 is down (a1b2c3d4e5f6-3)');
    expect(textOf(alertsNotification(resolvedAlert()))).toBe(
      'RESOLVED critical after 3m: GPE_1#1 on m1 is down (a1b2c3d4e5f6-3)',
    );
    const reminder = { ...alertsNotification(firingAlert()), isReminder: true };
    expect(textOf(reminder)).toBe('STILL FIRING critical: GPE_1#1 on m1 is down (a1b2c3d4e5f6-3)');
  });

  it('has a section for each alert with a link to the runbook', () => {
    expect(
      sectionsOf(alertsNotification(firingAlert(), resolvedAlert({ key: 'b'.repeat(32), annotations: {} }))),
    ).toEqual([
      [
        '*FIRING critical* GPE_1#1 on m1 is down',
        'It went down at 04:50.',
        'cluster_name=prod, node=m1, partition=1, replica=1, service_name=GPE',
        'since 2026-09-22 04:50:00 UTC · a1b2c3d4e5f6-3',
        '<https://warden.example.org/alerts|Incident> · <https://example.org/runbook#service_not_online|Runbook> · <https://warden.example.org/|Dashboard>',
      ].join('\n'),
      [
        '*RESOLVED critical after 3m* GraphdbServiceNotOnline prod',
        'cluster_name=prod, node=m1, partition=1, replica=1, service_name=GPE',
        'since 2026-09-22 04:50:00 UTC, until 2026-09-22 04:53:00 UTC (3m) · bbbbbbbbbbbb-3',
        '<https://warden.example.org/alerts|Incident>',
      ].join('\n'),
    ]);
  });

  it('has no mentions and no links for any text', () => {
    const annotations = {
      summary: '<!channel> & <http://x|y>',
      description: '<@U1>',
      runbook_url: 'https://x|<!here>',
    };
    const request = alertsNotification(firingAlert({ annotations, generatorUrl: '', labels: { node: '<!here>' } }));
    const all = bodyOf(request);
    expect(all).not.toMatch(/<[!@h]/);
    expect(textOf(request)).toContain('&lt;!channel&gt; &amp; &lt;http://x|y&gt;');
  });

  it.each(['<', '&', 'x', '😀'])('stays within the limits with many %s and loses no incident', (sign) => {
    const alerts = Array.from({ length: slack.traits.maxBatch }, (_, at) => {
      const annotations = { ...firingAlert().annotations, summary: sign.repeat(9000), description: sign.repeat(9000) };
      return firingAlert({ episode: at + 1, annotations, labels: { node: sign.repeat(900) } });
    });
    const request = alertsNotification(...alerts);
    const text = textOf(request);
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(alerts.filter(({ episode }) => !text.includes(`(a1b2c3d4e5f6-${episode})`))).toEqual([]);
    const sections = sectionsOf(request);
    expect(sections.length).toBeLessThanOrEqual(50);
    expect(sections.filter((one) => one.length > 3000 || !one.isWellFormed())).toEqual([]);
    expect(sections.filter((one) => !one.endsWith('|Dashboard>'))).toEqual([]);
    expect(sections.join('').replaceAll(/&(amp|lt|gt);/g, '')).not.toContain('&');
  });

  it('loses no incident of a digest', () => {
    const { missed, ...digest } = digestNotification(50);
    const text = textOf({ ...digest, missed: missed.map((one) => ({ ...one, summary: '&'.repeat(9000) })) });
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(missed.filter(({ episode }) => !text.includes(`-${episode}, `))).toEqual([]);
  });

  it('in short form is text only, in minimal form without server text', () => {
    const request = alertsNotification(firingAlert());
    expect(JSON.parse(bodyOf(request, 'short'))).toEqual({ text: textOf(request) });
    expect(textOf(request, 'minimal')).toBe('FIRING critical: GraphdbServiceNotOnline prod (a1b2c3d4e5f6-3)');
  });

  it('can be a digest of missed incidents', () => {
    expect(textOf(digestNotification(2))).toBe(
      [
        'No notification was accepted here since 2026-09-22 04:50:00 UTC; 2 incidents began and ended meanwhile. 2 open incidents follow.',
        '• warning: incident 0 (folded000000-1, 2026-09-22 04:50:00 UTC to 2026-09-22 04:50:00 UTC)',
        '• warning: incident 1 (folded100000-2, 2026-09-22 04:50:01 UTC to 2026-09-22 04:50:01 UTC)',
      ].join('\n'),
    );
    const long = digestNotification(1000);
    expect(textOf(long)).toContain('… and 950 older');
    expect(textOf(long).split('\n')).toHaveLength(52);
  });
});

describe('a reply of Slack', () => {
  const secret = 'https://hooks.test/services/T0/B0/hush';
  const path = 'POST /services/T0/B0/hush';

  async function meaning(reply: ReturnType<typeof answer>) {
    const settings = receiverSettings('slack', {}, { webhook_url: secret });
    const notifier = slack.open(settings, '', portsOver(new FakePool([path, reply])));
    return await notifier.send(alertsNotification(firingAlert()), 'full', 0, new AbortController().signal);
  }

  it('is a success only if its body is ok', async () => {
    expect(await meaning(answer('ok', 200, { 'content-type': 'text/html' }))).toMatchObject({
      kind: 'accepted',
      status: 200,
      proof: 'ok',
    });
    expect(await meaning(answer('', 200))).toMatchObject({ kind: 'broken' });
    expect(await meaning(answer('{"ok":false}', 200))).toMatchObject({ kind: 'broken' });
  });

  it.each<[number, string, string]>([
    [400, 'invalid_payload', 'refused'],
    [400, 'user_not_found', 'refused'],
    [403, 'action_prohibited', 'broken'],
    [404, 'no_service', 'broken'],
    [410, 'channel_is_archived', 'broken'],
    [500, 'rollup_error', 'unavailable'],
  ])('%d %s is shown', async (status, text, kind) => {
    expect(await meaning(answer(text, status))).toMatchObject({
      kind,
      message: `the receiver replied with status ${status}: ${text}`,
    });
  });

  it('is not shown unless it is an error code: it could contain the address', async () => {
    expect(await meaning(answer('no T0/B0/hush', 404))).toMatchObject({
      message: 'the receiver replied with status 404',
    });
  });
});

it('Slack accepts one request a second, digests included', () => {
  expect(slack.traits).toMatchObject({ minInterval: 1000, acceptsDigests: true, isLevelTriggered: false });
});
