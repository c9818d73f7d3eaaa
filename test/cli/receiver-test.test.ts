import { describe, expect, it } from 'vitest';
import { hasPassed, receiverTestTable, testReceiver } from '../../src/cli/receiver-test.ts';
import type { NotificationRequest, Notifier, ReceiverResponse } from '../../src/notify/notifier.ts';
import { slack } from '../../src/notify/receivers/slack.ts';
import type { ReceiverSettings } from '../../src/notify/settings.ts';
import { FakeClock } from '../support/clock.ts';

const settings: ReceiverSettings = {
  name: 'chat',
  heartbeat: false,
  kind: 'slack',
  options: {},
  secrets: { webhook_url: { file: 'slack.url' } },
};
const accepted: ReceiverResponse = { kind: 'accepted' };
const away: ReceiverResponse = {
  kind: 'unavailable',
  answered: false,
  timedOut: false,
  message: 'the connection was refused',
};

interface Sent {
  readonly request: NotificationRequest;
  readonly at: number;
}

async function testWith(...answers: readonly ReceiverResponse[]) {
  const clock = new FakeClock();
  const sent: Sent[] = [];
  const left = [...answers];
  const notifier: Notifier = {
    traits: slack.traits,
    send: async (request, detail, at) => {
      expect(detail).toBe('full');
      sent.push({ request, at });
      const answer = left.shift();
      if (answer === undefined) throw new Error('one request too many');
      return answer;
    },
    close: () => Promise.resolve(),
  };
  const trial = testReceiver(settings, notifier, 'k'.repeat(64), clock);
  await clock.advance(1000);
  const result = await trial;
  expect([left, clock.sleeping]).toEqual([[], 0]);
  return { result, sent };
}

describe('test of a receiver', () => {
  it('sends a trigger and, after the minimum interval, a resolve', async () => {
    const { result, sent } = await testWith(accepted, accepted);
    expect(result).toEqual({ receiver: 'chat', kind: 'slack', trigger: 'accepted', resolve: 'accepted', message: '' });
    expect(hasPassed(result)).toBe(true);
    const [trigger, resolve] = sent.map(({ request }) => (request.kind === 'alerts' ? request.alerts[0] : undefined));
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

  it.each<ReceiverResponse>([
    { kind: 'broken', message: 'why' },
    { kind: 'refused', message: 'why' },
    { kind: 'limited', wait: 1000, message: 'why' },
  ])('sends no resolve for a rejected trigger: $kind', async (answer) => {
    const { result } = await testWith(answer);
    expect(result).toMatchObject({ trigger: answer.kind, resolve: 'not sent', message: 'why' });
    expect(hasPassed(result)).toBe(false);
  });

  it('sends a resolve if the trigger may have been accepted', async () => {
    const { result } = await testWith(away, accepted);
    expect(result).toMatchObject({
      trigger: 'unavailable',
      resolve: 'accepted',
      message: 'the connection was refused',
    });
    expect(hasPassed(result)).toBe(false);
  });

  it('fails if only the trigger was accepted', async () => {
    const { result } = await testWith(accepted, away);
    expect(result).toMatchObject({ trigger: 'accepted', resolve: 'unavailable', message: away.message });
    expect(hasPassed(result)).toBe(false);
  });

  it('times out after 30 s, like the daemon', async () => {
    const clock = new FakeClock();
    const aborted: boolean[] = [];
    const notifier: Notifier = {
      traits: { ...slack.traits, minInterval: 0 },
      send: (_, __, ___, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.push(signal.aborted);
            resolve({ kind: 'broken', message: 'late' });
          });
        }),
      close: () => Promise.resolve(),
    };
    const trial = testReceiver(settings, notifier, 'k', clock);
    await clock.advance(29_000);
    expect(aborted).toEqual([]);
    await clock.advance(1000);
    expect((await trial).message).toBe('late');
  });
});

it('table has a row for each receiver and no control characters', () => {
  const trial = { receiver: 'chat', kind: 'slack', trigger: 'accepted', resolve: 'accepted', message: '' } as const;
  const bad = { ...trial, receiver: 'oncall', trigger: 'broken', resolve: 'not sent', message: 'a\u001B[2J' } as const;
  expect(receiverTestTable([trial, bad])).toBe(
    [
      'RECEIVER  KIND   TRIGGER   RESOLVE   RESPONSE',
      'chat      slack  accepted  accepted',
      'oncall    slack  broken    not sent  a [2J',
      '',
    ].join('\n'),
  );
});
