import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/cli/command.ts';
import {
  demoAlertsConfig,
  demoReceiversBanner,
  demoReceiversWith,
  faultHelp,
  startDemoReceivers,
} from '../../src/cli/demo-receivers.ts';
import { behaviorSyntax } from '../../src/simulator/receivers/receiver-behavior.ts';
import type { SimulatedReceivers } from '../../src/simulator/receivers/receivers.ts';
import { FakeClock } from '../support/clock.ts';
import { send } from '../support/http.ts';
import { recordingOutput } from '../support/output.ts';
import { listen } from '../support/reusable-port.ts';

async function withCast(
  problem: string | undefined,
  use: (receivers: SimulatedReceivers, said: () => string) => Promise<void>,
) {
  const out = recordingOutput();
  const receivers = await startDemoReceivers(demoReceiversWith(problem), { listen, clock: new FakeClock() }, out);
  try {
    await use(receivers, () => out.text());
  } finally {
    await receivers.close();
  }
}

describe('demoReceiversWith', () => {
  it('is one of each kind, all healthy', () => {
    expect(demoReceiversWith(undefined)).toEqual([
      { name: 'am', kind: 'alertmanager' },
      { name: 'oncall', kind: 'pagerduty' },
      { name: 'chat', kind: 'slack' },
      { name: 'threads', kind: 'slack_bot' },
      { name: 'teams', kind: 'teams' },
      { name: 'phone', kind: 'ntfy' },
      { name: 'hook', kind: 'webhook' },
      { name: 'service', kind: 'templated_webhook' },
    ]);
  });

  it('makes the named receivers fail', () => {
    const [am, oncall, chat] = demoReceiversWith('oncall=503,chat=slow:5s');
    expect(am?.behavior).toBeUndefined();
    expect(oncall?.behavior).toEqual({ kind: 'refuse', status: 503 });
    expect(chat?.behavior).toEqual({ kind: 'slow', by: 5_000 });
  });

  it.each([
    ['other=503', "unknown receiver 'other': known receivers: am, oncall, chat, threads, teams, phone, hook, service"],
    ['', "unknown receiver ''"],
    ['oncall', "--faults oncall: '' is not one of healthy"],
    ['oncall=rude', "'rude' is not one of"],
  ])('refuses %j', (problem, sentence) => {
    expect(() => demoReceiversWith(problem)).toThrow(UsageError);
    expect(() => demoReceiversWith(problem)).toThrow(sentence);
  });
});

describe('demo receivers', () => {
  it('prints each request once', async () => {
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

  it('print the address of each, and how to change its behavior', async () => {
    await withCast('chat=404', async (receivers, said) => {
      const text = demoReceiversBanner(receivers).join('\n');
      for (const { name, kind, behaviorUrl } of receivers.all) {
        expect(text).toMatch(new RegExp(`^  ${name} +${kind} +curl -d 503 ${behaviorUrl}$`, 'm'));
      }
      await send(receivers.all[2]?.url ?? '', { method: 'POST', body: '{"text":"m1 is gone"}' });
      expect(said()).toContain('m1 is gone  → 404');
    });
  });

  it('are routed by names that exist', async () => {
    await withCast(undefined, async (receivers) => {
      const section = demoAlertsConfig(receivers);
      expect(section).toMatchObject({
        receivers: receivers.all.map(({ name, kind }) => ({ name, [kind]: expect.anything() })),
        rules: { service_not_online: { for: '5s' }, watchdog: { for: '0s' } },
        routes: [
          { receivers: ['oncall', 'chat', 'threads', 'teams', 'phone', 'service'], fallback: 'hook', continue: true },
          { receivers: ['am', 'hook'] },
        ],
      });
    });
  });
});

it('demo receivers › documents each fault', () => {
  for (const [word] of behaviorSyntax) expect(faultHelp).toContain(`\n  ${word} `);
});
