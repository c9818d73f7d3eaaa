import { describe, expect, it } from 'vitest';
import { passed, trialTable, tryReceiver } from '../../src/cli/try-receiver.ts';
import type { Answer, Letter, Notifier } from '../../src/notify/notifier.ts';
import { slackTraits } from '../../src/notify/notifiers/slack.ts';
import type { ReceiverSettings } from '../../src/notify/settings.ts';
import { FakeClock } from '../support/clock.ts';

const settings: ReceiverSettings = {
  name: 'chat',
  heartbeat: false,
  way: { kind: 'slack', webhookUrl: { file: 'slack.url' } },
};
const accepted: Answer = { kind: 'accepted' };
const away: Answer = { kind: 'unavailable', answered: false, timedOut: false, message: 'the connection was refused' };

interface Sent {
  readonly letter: Letter;
  readonly at: number;
}

async function trialOf(...answers: readonly Answer[]) {
  const clock = new FakeClock();
  const sent: Sent[] = [];
  const left = [...answers];
  const notifier: Notifier = {
    traits: slackTraits,
    send: async (letter, detail, at) => {
      expect(detail).toBe('full');
      sent.push({ letter, at });
      const answer = left.shift();
      if (answer === undefined) throw new Error('one letter too many');
      return answer;
    },
    close: () => Promise.resolve(),
  };
  const trial = tryReceiver(settings, notifier, 'k'.repeat(64), clock);
  await clock.advance(1000);
  const result = await trial;
  expect([left, clock.sleeping]).toEqual([[], 0]);
  return { result, sent };
}

describe('a receiver that is tried', () => {
  it('hears of an incident and of its end, at its own pace', async () => {
    const { result, sent } = await trialOf(accepted, accepted);
    expect(result).toEqual({ receiver: 'chat', kind: 'slack', trigger: 'accepted', resolve: 'accepted', message: '' });
    expect(passed(result)).toBe(true);
    const [trigger, resolve] = sent.map(({ letter }) => (letter.kind === 'alerts' ? letter.alerts[0] : undefined));
    expect([trigger?.status, resolve?.status]).toEqual(['firing', 'resolved']);
    expect([resolve?.key, resolve?.episode, resolve?.labels]).toEqual([
      trigger?.key,
      trigger?.episode,
      trigger?.labels,
    ]);
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBe(1000);
    expect(resolve?.endsAt).toBe(sent[1]?.at);
    expect(trigger).toMatchObject({ severity: 'info', annotations: { summary: expect.stringContaining('test') } });
  });

  it.each<Answer>([
    { kind: 'broken', message: 'why' },
    { kind: 'refused', message: 'why' },
    { kind: 'limited', wait: 1000, message: 'why' },
  ])('is told no end of what it did not take: $kind', async (answer) => {
    const { result } = await trialOf(answer);
    expect(result).toMatchObject({ trigger: answer.kind, resolve: 'not sent', message: 'why' });
    expect(passed(result)).toBe(false);
  });

  it('is told the end where it may have taken the beginning', async () => {
    const { result } = await trialOf(away, accepted);
    expect(result).toMatchObject({
      trigger: 'unavailable',
      resolve: 'accepted',
      message: 'the connection was refused',
    });
    expect(passed(result)).toBe(false);
  });

  it('fails when only the beginning was taken', async () => {
    const { result } = await trialOf(accepted, away);
    expect(result).toMatchObject({ trigger: 'accepted', resolve: 'unavailable', message: away.message });
    expect(passed(result)).toBe(false);
  });

  it('is waited for as long as the daemon would', async () => {
    const clock = new FakeClock();
    const aborted: boolean[] = [];
    const notifier: Notifier = {
      traits: { ...slackTraits, spacing: 0 },
      send: (_, __, ___, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.push(signal.aborted);
            resolve({ kind: 'broken', message: 'late' });
          });
        }),
      close: () => Promise.resolve(),
    };
    const trial = tryReceiver(settings, notifier, 'k', clock);
    await clock.advance(29_000);
    expect(aborted).toEqual([]);
    await clock.advance(1000);
    expect((await trial).message).toBe('late');
  });
});

it('the table shows each receiver in a line, and nothing that would move a cursor', () => {
  const trial = { receiver: 'chat', kind: 'slack', trigger: 'accepted', resolve: 'accepted', message: '' } as const;
  const bad = { ...trial, receiver: 'oncall', trigger: 'broken', resolve: 'not sent', message: 'a\u001B[2J' } as const;
  expect(trialTable([trial, bad])).toBe(
    [
      'RECEIVER  KIND   TRIGGER   RESOLVE   ANSWER',
      'chat      slack  accepted  accepted',
      'oncall    slack  broken    not sent  a [2J',
      '',
    ].join('\n'),
  );
});
