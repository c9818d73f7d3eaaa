import { expect, it } from 'vitest';
import { openAlertingCluster } from '../support/alerting-cluster.ts';
import { eventually } from '../support/child.ts';
import { startMailServer } from '../support/mail-server.ts';

it('alerting mails a trigger and its resolve as one conversation', async () => {
  const server = await startMailServer();
  const email = { smtp: `smtp://127.0.0.1:${server.port}`, from: 'warden@example.org', to: ['team@example.org'] };
  const setup = await openAlertingCluster({
    receivers: [{ name: 'mail', email }],
    routes: [{ receivers: ['mail'], group_wait: '0s' }],
  });
  await setup.startDaemon();
  setup.setEngine('Down');
  const first = await eventually('the first mail', async () => server.mails[0]);
  setup.setEngine('Online');
  const second = await eventually('the second mail', async () => server.mails[1]);
  for (const mail of [first, second]) {
    expect(mail).toMatchObject({ from: 'warden@example.org', to: ['team@example.org'] });
    expect(mail.headers.subject).toContain('GPE');
  }
  expect(first.headers['message-id']).toMatch(/^<[^<>\s]+@[^<>\s]+>$/);
  expect(second.headers['message-id']).not.toBe(first.headers['message-id']);
  expect(second.headers['in-reply-to']).toBe(first.headers['message-id']);
});
