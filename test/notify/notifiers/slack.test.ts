import { describe, expect, it } from 'vitest';
import { createSecretReader } from '../../../src/graphdb/secret-reader.ts';
import { Secret } from '../../../src/kernel/secret.ts';
import type { Letter } from '../../../src/notify/notifier.ts';
import { formatSlack, openSlack, slackTraits } from '../../../src/notify/notifiers/slack.ts';
import { FakeFiles } from '../../support/fake-files.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';
import { alertOf, alertsLetter, digestLetter, resolvedOf } from '../../support/letters.ts';

function textOf(letter: Letter, detail: 'full' | 'short' | 'minimal' = 'full'): string {
  return JSON.parse(formatSlack(letter, detail)).text;
}

function sectionsOf(letter: Letter): readonly string[] {
  const { blocks = [] } = JSON.parse(formatSlack(letter, 'full'));
  return blocks.map((block: { readonly text: { readonly text: string } }) => block.text.text);
}

describe('a message for Slack', () => {
  it('says in one line what it is about, and which incident it belongs to', () => {
    expect(textOf(alertsLetter(alertOf()))).toBe('FIRING critical: GPE 1#1 on m1 is down (a1b2c3d4e5f6-3)');
    expect(textOf(alertsLetter(resolvedOf()))).toBe('RESOLVED critical: GPE 1#1 on m1 is down (a1b2c3d4e5f6-3)');
    const reminder = { ...alertsLetter(alertOf()), again: true };
    expect(textOf(reminder)).toBe('STILL FIRING critical: GPE 1#1 on m1 is down (a1b2c3d4e5f6-3)');
  });

  it('has a section for each alert, with what to do', () => {
    expect(sectionsOf(alertsLetter(alertOf(), resolvedOf({ key: 'b'.repeat(32), annotations: {} })))).toEqual([
      [
        '*FIRING critical* GPE 1#1 on m1 is down',
        'It went down at 04:50.',
        'cluster_name=prod, node=m1, partition=1, replica=1, service_name=GPE',
        'since 2026-09-22 04:50:00 UTC · a1b2c3d4e5f6-3',
        '<https://example.org/runbook#service_not_online|what to do>',
      ].join('\n'),
      [
        '*RESOLVED critical* GraphdbServiceNotOnline prod',
        'cluster_name=prod, node=m1, partition=1, replica=1, service_name=GPE',
        'since 2026-09-22 04:50:00 UTC, until 2026-09-22 04:53:00 UTC · bbbbbbbbbbbb-3',
      ].join('\n'),
    ]);
  });

  it('calls nobody and links nowhere, whatever a text holds', () => {
    const annotations = {
      summary: '<!channel> & <http://x|y>',
      description: '<@U1>',
      runbook_url: 'https://x|<!here>',
    };
    const letter = alertsLetter(alertOf({ annotations, labels: { node: '<!here>' } }));
    const all = formatSlack(letter, 'full');
    expect(all).not.toMatch(/<[!@h]/);
    expect(textOf(letter)).toContain('&lt;!channel&gt; &amp; &lt;http://x|y&gt;');
  });

  it.each(['<', '&', 'x', '😀'])('stays within the limits with many %s, and loses no incident to them', (sign) => {
    const alerts = Array.from({ length: slackTraits.batch }, (_, at) => {
      const annotations = { ...alertOf().annotations, summary: sign.repeat(9000), description: sign.repeat(9000) };
      return alertOf({ episode: at + 1, annotations, labels: { node: sign.repeat(900) } });
    });
    const letter = alertsLetter(...alerts);
    const text = textOf(letter);
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(alerts.filter(({ episode }) => !text.includes(`(a1b2c3d4e5f6-${episode})`))).toEqual([]);
    const sections = sectionsOf(letter);
    expect(sections.length).toBeLessThanOrEqual(50);
    expect(sections.filter((one) => one.length > 3000 || !one.isWellFormed())).toEqual([]);
    expect(sections.filter((one) => !one.endsWith('|what to do>'))).toEqual([]);
    expect(sections.join('').replaceAll(/&(amp|lt|gt);/g, '')).not.toContain('&');
  });

  it('loses no incident of a digest either', () => {
    const { folded, ...digest } = digestLetter(50);
    const text = textOf({ ...digest, folded: folded.map((one) => ({ ...one, summary: '&'.repeat(9000) })) });
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(folded.filter(({ episode }) => !text.includes(`-${episode}, `))).toEqual([]);
  });

  it('after a refusal is text alone, at last without texts of others', () => {
    const letter = alertsLetter(alertOf());
    expect(JSON.parse(formatSlack(letter, 'short'))).toEqual({ text: textOf(letter) });
    expect(textOf(letter, 'minimal')).toBe('FIRING critical: GraphdbServiceNotOnline prod (a1b2c3d4e5f6-3)');
  });

  it('may be a digest of what was missed', () => {
    expect(textOf(digestLetter(2))).toBe(
      [
        'Nothing could be delivered here since 2026-09-22 04:50:00 UTC; 2 incidents began and ended meanwhile. What is open follows (2).',
        '• warning: incident 0 (folded000000-1, 2026-09-22 04:50:00 UTC to 2026-09-22 04:50:00 UTC)',
        '• warning: incident 1 (folded100000-2, 2026-09-22 04:50:01 UTC to 2026-09-22 04:50:01 UTC)',
      ].join('\n'),
    );
    const long = digestLetter(1000);
    expect(textOf(long)).toContain('… and 950 older');
    expect(textOf(long).split('\n')).toHaveLength(52);
  });
});

describe('what Slack answers', () => {
  const secret = 'https://hooks.test/services/T0/B0/hush';
  const path = 'POST /services/T0/B0/hush';

  async function meaning(reply: ReturnType<typeof answer>) {
    const reader = createSecretReader({ value: new Secret(secret) }, new FakeFiles());
    const notifier = openSlack(reader, () => new FakePool([path, reply]));
    return await notifier.send(alertsLetter(alertOf()), 'full', 0, new AbortController().signal);
  }

  it('ok is the one good answer', async () => {
    expect(await meaning(answer('ok', 200, { 'content-type': 'text/html' }))).toEqual({ kind: 'accepted' });
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
      message: `answered with status ${status}: ${text}`,
    });
  });

  it('anything but a word is not shown: it might be the address', async () => {
    expect(await meaning(answer('no T0/B0/hush', 404))).toMatchObject({ message: 'answered with status 404' });
  });
});

it('Slack takes one message a second, of every kind', () => {
  expect(slackTraits).toMatchObject({ spacing: 1000, takesDigests: true, forgets: false });
});
