import { expect, it } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { hasOtherRecipient } from '../../src/notify/recipient.ts';
import { settingsOf } from './delivery-testbed.ts';

const before = {
  ...settingsOf('one'),
  kind: 'slack_bot',
  options: { channel: 'oncall', url: 'https://slack.example.org' },
  secrets: { token: { value: new Secret('a') }, key: { file: 'key' } },
};

it.each([
  ['nothing', before, false],
  ['an option that determines it', { ...before, options: { ...before.options, channel: 'other' } }, true],
  ['another option', { ...before, options: { ...before.options, url: 'https://proxy.example.org' } }, false],
  ['a file that determines it', { ...before, secrets: { ...before.secrets, key: { file: 'other' } } }, true],
  ['a value in the place of the file', { ...before, secrets: { key: { value: new Secret('key') } } }, true],
  ['another secret', { ...before, secrets: { ...before.secrets, token: { value: new Secret('b') } } }, false],
  ['the kind', { ...before, kind: 'slack' }, true],
])('a receiver has another recipient or not after a change of %s', (_, after, expected) => {
  expect(hasOtherRecipient(before, after, ['channel', 'key', 'absent'])).toBe(expected);
});

it('a receiver whose former settings are unknown has no other recipient', () => {
  expect(hasOtherRecipient(undefined, before, ['channel'])).toBe(false);
});
