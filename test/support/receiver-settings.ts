import { Secret } from '../../src/kernel/secret.ts';
import type { FormatContext } from '../../src/notify/http-receiver.ts';
import type { ReceiverSettings } from '../../src/notify/settings.ts';
import { digest } from '../../src/runtime/system-ports.ts';

/** Returns settings of a receiver named `one`. A secret is given inline, or as a file. */
export function receiverSettings(
  kind: string,
  options: ReceiverSettings['options'] = {},
  secrets: Readonly<Record<string, string | { readonly file: string }>> = {},
): ReceiverSettings {
  const sources = Object.entries(secrets).map(([name, secret]) => [
    name,
    typeof secret === 'string' ? { value: new Secret(secret) } : secret,
  ]);
  return { name: 'one', heartbeat: false, kind, options, secrets: Object.fromEntries(sources) };
}

/** Context in which a receiver formats notifications; `now` is 04:53:20 UTC on 22 September 2026. */
export const formatContext: Omit<FormatContext, 'options' | 'secrets'> = {
  detail: 'full',
  now: Date.UTC(2026, 8, 22, 4, 53, 20),
  name: 'one',
  externalUrl: 'https://warden.example.org',
  digest,
};
