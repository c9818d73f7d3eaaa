import { describe, expect, it } from 'vitest';
import { WrongUse } from '../../src/cli/command.ts';
import { alertsOf, castBanner, castWith, openCast, troubleDetails } from '../../src/cli/demo-receivers.ts';
import { mannerWords } from '../../src/simulator/receivers/manner-words.ts';
import type { Receivers } from '../../src/simulator/receivers/receivers.ts';
import { FakeClock } from '../support/clock.ts';
import { send } from '../support/http.ts';
import { recordingOutput } from '../support/output.ts';
import { listen } from '../support/returning-port.ts';

async function withCast(trouble: string | undefined, use: (receivers: Receivers, said: () => string) => Promise<void>) {
  const out = recordingOutput();
  const receivers = await openCast(castWith(trouble), { listen, clock: new FakeClock() }, out);
  try {
    await use(receivers, () => out.text());
  } finally {
    await receivers.close();
  }
}

describe('castWith', () => {
  it('is one of each kind, all healthy', () => {
    expect(castWith(undefined)).toEqual([
      { name: 'am', kind: 'alertmanager' },
      { name: 'oncall', kind: 'pagerduty' },
      { name: 'chat', kind: 'slack' },
      { name: 'hook', kind: 'webhook' },
    ]);
  });

  it('gives trouble to those that are named', () => {
    const [am, oncall, chat] = castWith('oncall=503,chat=slow:5s');
    expect(am?.manner).toBeUndefined();
    expect(oncall?.manner).toEqual({ kind: 'refuse', status: 503 });
    expect(chat?.manner).toEqual({ kind: 'slow', by: 5_000 });
  });

  it.each([
    ['nobody=503', "'nobody', which is none of am, oncall, chat, hook"],
    ['', "names ''"],
    ['oncall', "--trouble oncall: '' is none of healthy"],
    ['oncall=rude', "'rude' is none of"],
  ])('refuses %j', (trouble, sentence) => {
    expect(() => castWith(trouble)).toThrow(WrongUse);
    expect(() => castWith(trouble)).toThrow(sentence);
  });
});

describe('the cast', () => {
  it('prints what it gets, once', async () => {
    await withCast(undefined, async ({ all }, said) => {
      const [am, , chat] = all.map(({ url }) => url);
      await send(chat ?? '', { method: 'POST', body: '{"text":"m1 is gone"}' });
      expect(said()).toBe('04:53:20Z  chat    message  m1 is gone\n');
      for (let time = 0; time < 3; time += 1) {
        await send(`${am}/api/v2/alerts`, { method: 'POST', body: '[{"labels":{"alertname":"Gone"}}]' });
      }
      expect(said().match(/am {6}trigger {2}Gone/g)).toHaveLength(1);
    });
  });

  it('tells how to find each, and how to change it', async () => {
    await withCast('chat=404', async (receivers, said) => {
      const text = castBanner(receivers).join('\n');
      for (const { name, kind, mannerUrl } of receivers.all) {
        expect(text).toMatch(new RegExp(`^  ${name} +${kind} +curl -d 503 ${mannerUrl}$`, 'm'));
      }
      await send(receivers.all[2]?.url ?? '', { method: 'POST', body: '{"text":"m1 is gone"}' });
      expect(said()).toContain('m1 is gone  → 404');
    });
  });

  it('is routed by names that exist', async () => {
    await withCast(undefined, async (receivers) => {
      const section = alertsOf(receivers);
      expect(section).toMatchObject({
        receivers: receivers.all.map(({ name, kind }) => ({ name, [kind]: expect.anything() })),
        rules: { service_not_online: { hold: '5s' }, watchdog: { hold: '0s' } },
        routes: [{ receivers: ['oncall', 'chat'], fallback: 'hook', continue: true }, { receivers: ['am', 'hook'] }],
      });
    });
  });
});

it('explains every word for trouble', () => {
  for (const [word] of mannerWords) expect(troubleDetails).toContain(`\n  ${word} `);
});
