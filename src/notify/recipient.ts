import type { ReceiverSettings } from './settings.ts';

/**
 * Returns whether a receiver with changed settings notifies other people or systems: it has another kind, or another
 * value of one of the settings in `keys`.
 */
export function hasOtherRecipient(
  before: ReceiverSettings | undefined,
  after: ReceiverSettings,
  keys: readonly string[] = [],
): boolean {
  const values = ({ kind, options, secrets }: ReceiverSettings): string =>
    JSON.stringify([kind, ...keys.map((key) => options[key] ?? sourceText(secrets[key]))]);
  return before !== undefined && values(before) !== values(after);
}

function sourceText(source: ReceiverSettings['secrets'][string] | undefined): string {
  if (source === undefined) return '';
  return 'file' in source ? `file ${source.file}` : `value ${source.value.reveal()}`;
}
