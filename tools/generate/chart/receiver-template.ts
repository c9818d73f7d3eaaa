import type { SecretField } from '../../../src/notify/receiver.ts';
import { receivers } from '../../../src/notify/receivers/all.ts';

/** The keys of secrets by kind of receiver, for the checks of the chart. */
export function receiverTemplate(): string {
  return [
    '{{/* Generated from src/notify/receivers by `npm run generate`. Keys of receivers that must not be in a ConfigMap. */}}',
    '{{- define "graphwarden.receiverSecrets" -}}',
    ...linesOf(({ form }) => form !== 'url'),
    '{{- end -}}',
    '',
    '{{/* Keys of receivers with an address that may contain a token. */}}',
    '{{- define "graphwarden.receiverUrls" -}}',
    ...linesOf(({ form }) => form === 'url'),
    '{{- end -}}',
    '',
  ].join('\n');
}

function linesOf(isIncluded: (field: SecretField) => boolean): readonly string[] {
  return receivers.flatMap(({ kind, secrets }) =>
    Object.entries(secrets)
      .filter(([, field]) => isIncluded(field))
      .map(([name]) => `- { kind: ${kind}, key: ${name} }`),
  );
}
