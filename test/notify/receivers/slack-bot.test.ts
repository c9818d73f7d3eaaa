import { describe, expect, it } from 'vitest';
import type { ReceiverResponse } from '../../../src/notify/notifier.ts';
import { slackBot } from '../../../src/notify/receivers/slack-bot.ts';
import { answer, type Exchange, FakePool } from '../../support/fake-pool.ts';
import { alertsNotification, firingAlert, resolvedAlert } from '../../support/notifications.ts';
import { receiverSettings } from '../../support/receiver-settings.ts';
import { portsOver } from './receiver-ports.ts';

const posted = answer({ ok: true, channel: 'C1', ts: '1.000002' });
const reference = 'C1:1.000001';
const post = 'POST /api/chat.postMessage';
const update = 'POST /api/chat.update';
const options = { url: 'http://slack.test/api', channel: 'C0123456789' };

type Request = Parameters<ReturnType<typeof slackBot.open>['send']>[0];

async function send(request: Request, exchanges: readonly Exchange[], detail: 'full' | 'short' = 'full') {
  const pool = new FakePool(...exchanges);
  const notifier = slackBot.open(receiverSettings('slack_bot', options, { token: 'xoxb-canary' }), '', portsOver(pool));
  const response: ReceiverResponse = await notifier.send(request, detail, 0, new AbortController().signal);
  expect(JSON.stringify(response)).not.toContain('canary');
  const bodies = pool.requests.map(({ body = '' }): unknown => JSON.parse(body));
  return { response, bodies, requests: pool.requests };
}

describe('an incident', () => {
  it('is a message in the channel with a button that opens it, whose ts is the reference', async () => {
    const { response, bodies, requests } = await send(alertsNotification(firingAlert()), [[post, posted]]);
    expect(response).toMatchObject({ kind: 'accepted', status: 200, reference: 'C1:1.000002' });
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer xoxb-canary' });
    const button = { type: 'button', action_id: 'acknowledge', url: 'https://warden.example.org/alerts' };
    const blocks = [{ type: 'section' }, { type: 'actions', elements: [button] }];
    expect(bodies).toMatchObject([{ channel: 'C0123456789', blocks }]);
    expect(bodies[0]).not.toHaveProperty('thread_ts');
  });

  it.each([
    ['ends', alertsNotification(resolvedAlert())],
    ['changes', { ...alertsNotification(firingAlert()), isUpdate: true as const }],
  ])('that %s updates its message, then replies in its thread', async (_, request) => {
    const { response, bodies } = await send({ ...request, reference }, [
      [update, posted],
      [post, posted],
    ]);
    expect(response).toMatchObject({ kind: 'accepted' });
    expect(bodies).toMatchObject([
      { channel: 'C1', ts: '1.000001' },
      { channel: 'C1', thread_ts: '1.000001' },
    ]);
    expect(bodies[1]).not.toHaveProperty('reply_broadcast');
  });

  it('that is still firing is shown in the channel too', async () => {
    const request = { ...alertsNotification(firingAlert()), isReminder: true, due: 1, reference };
    const { bodies } = await send(request, [
      [update, posted],
      [post, posted],
    ]);
    expect(bodies[1]).toMatchObject({ thread_ts: '1.000001', reply_broadcast: true });
  });

  it('has no button when it is resolved, acknowledged, or has no address', async () => {
    const acknowledged = firingAlert({ annotations: { summary: 's', acknowledgement: 'by alice' } });
    for (const alert of [resolvedAlert(), acknowledged, firingAlert({ generatorUrl: '' })]) {
      const { requests } = await send(alertsNotification(alert), [[post, posted]]);
      expect(requests[0]?.body).not.toContain('button');
    }
  });

  it('whose message was deleted still gets the reply', async () => {
    const { response } = await send({ ...alertsNotification(resolvedAlert()), reference }, [
      [update, answer({ ok: false, error: 'message_not_found' })],
      [post, posted],
    ]);
    expect(response).toMatchObject({ kind: 'accepted' });
  });

  it('is a plain message in the channel after a rejection', async () => {
    const request = { ...alertsNotification(resolvedAlert()), reference };
    const { bodies } = await send(request, [[post, posted]], 'short');
    expect(bodies).toMatchObject([{ channel: 'C0123456789' }]);
    expect(bodies[0]).not.toHaveProperty('thread_ts');
  });

  it('sends no reply while the update is not accepted', async () => {
    const failed = answer({ ok: false, error: 'internal_error' });
    const { response } = await send({ ...alertsNotification(resolvedAlert()), reference }, [[update, failed]]);
    expect(response).toMatchObject({ kind: 'unavailable', answered: true });
  });
});

describe('an error of Slack', () => {
  it.each([
    ['ratelimited', 'limited'],
    ['invalid_auth', 'broken'],
    ['token_revoked', 'broken'],
    ['channel_not_found', 'broken'],
    ['not_in_channel', 'broken'],
    ['is_archived', 'broken'],
    ['missing_scope', 'broken'],
    ['fatal_error', 'unavailable'],
    ['service_unavailable', 'unavailable'],
    ['msg_too_long', 'refused'],
    ['invalid_blocks', 'refused'],
    ['an_error_of_the_future', 'refused'],
  ])('%s is %s', async (error, kind) => {
    const { response } = await send(alertsNotification(firingAlert()), [[post, answer({ ok: false, error })]]);
    expect(response).toMatchObject({ kind, message: `Slack replied with the error ${error}` });
  });

  it('that repeats the token is not shown', async () => {
    const echo = answer({ ok: false, error: 'bad xoxb-canary' });
    const { response } = await send(alertsNotification(firingAlert()), [[post, echo]]);
    expect(response).toMatchObject({ kind: 'refused', status: 200, message: 'Slack replied with the error unknown' });
  });

  it('is not a reply without ok, which does not come from Slack', async () => {
    const { response } = await send(alertsNotification(firingAlert()), [[post, answer('hello')]]);
    expect(response).toMatchObject({ kind: 'broken' });
  });
});

it('a channel is its ID', () => {
  expect(slackBot.section.safeParse({ token: 'x', channel: '#alerts' }).success).toBe(false);
});
