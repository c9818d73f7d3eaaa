import { expect, it } from 'vitest';
import { constantTexts, receiverWarnings } from '../../src/config/receiver-checks.ts';
import { Secret } from '../../src/kernel/secret.ts';

function webhook(url: string) {
  const secrets = { url: { value: new Secret(url) } };
  return { name: 'hook', heartbeat: false, kind: 'webhook', options: {}, secrets } as const;
}

it.each([
  ['https://events.eu.pagerduty.com/v2/enqueue', '`pagerduty`'],
  ['https://example.webhook.office.com/webhookb2/a', '`teams`'],
  ['https://ntfy.sh/graph', '`ntfy`'],
  ['https://api.telegram.org/bot1:a/sendMessage', '`templated_webhook`'],
  ['https://api.eu.opsgenie.com/v2/alerts', '`templated_webhook`'],
])('a webhook to %s has a warning', (url, receiver) => {
  const message = expect.stringContaining('which rejects the payload of a webhook');
  const path = ['alerts', 'receivers', 0, 'webhook', 'url'];
  const found = receiverWarnings({ receivers: [webhook(url)] });
  expect(found).toEqual([{ path, message, hint: `use the receiver ${receiver}` }]);
});

it('a webhook to another address has no warning, and neither has one whose address is in a file', () => {
  const file = { ...webhook(''), secrets: { url: { file: 'hook' } } };
  expect(receiverWarnings({ receivers: [webhook('https://hooks.example.org/graph'), file] })).toEqual([]);
});

it('a text of all alerts has a placeholder', () => {
  expect(constantTexts({ templates: { summary: '[{{severity}}] {{summary}}' } })).toEqual([]);
  expect(constantTexts({ templates: { description: 'Call ada.' } })).toMatchObject([
    { path: ['alerts', 'templates', 'description'], hint: 'write for example `{{description}}`' },
  ]);
});
