import { httpSecretPaths } from '../../../src/notify/http-config.ts';
import type { Receiver, SecretField } from '../../../src/notify/receiver.ts';
import { receivers } from '../../../src/notify/receivers/all.ts';

/** The keys of secrets by kind of receiver, for the checks of the chart. */
export function receiverTemplate(): string {
  return [
    '{{/* Generated from src/notify/receivers by `npm run generate`. Keys of receivers that must not be in a ConfigMap. */}}',
    '{{- define "graphwarden.receiverSecrets" -}}',
    ...receivers.flatMap((receiver) => [
      ...linesOf(receiver, ({ form }) => form !== 'url'),
      ...httpSecrets(receiver).map((path) => lineOf(receiver.kind, path)),
    ]),
    '{{- end -}}',
    '',
    '{{/* Keys of receivers with an address that may contain a token. */}}',
    '{{- define "graphwarden.receiverUrls" -}}',
    ...receivers.flatMap((receiver) => linesOf(receiver, ({ form }) => form === 'url')),
    '{{- end -}}',
    '',
  ].join('\n');
}

function linesOf({ kind, secrets }: Receiver, isIncluded: (field: SecretField) => boolean): readonly string[] {
  return Object.entries(secrets)
    .filter(([, field]) => isIncluded(field))
    .map(([name]) => lineOf(kind, [name]));
}

/** Paths of the secrets in `http_config`; the chart itself checks the headers, whose names are free. */
function httpSecrets({ connection }: Receiver): readonly (readonly string[])[] {
  const { proxyPassword, password, credentials } = httpSecretPaths;
  if (connection === 'tls') return [];
  return connection === 'http' ? [proxyPassword] : [proxyPassword, password, credentials];
}

function lineOf(kind: string, path: readonly string[]): string {
  return `- { kind: ${kind}, path: [${path.join(', ')}] }`;
}
