const maxLength = 80;

/** Returns the JSON text of a value for the title of a test, cut in the middle if it is long. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  const half = maxLength / 2;
  return text.length <= maxLength ? text : `${text.slice(0, half)}…${text.slice(-half)}`;
}

/** Returns the members of `value` that differ from those of `base` for the title of a test, such as `policies.0.mode: "x"`. */
export function changesText(value: unknown, base: unknown): string {
  return [...changes(value, base, '')].join(', ') || 'no change';
}

function* changes(value: unknown, base: unknown, path: string): Generator<string> {
  if (!isObject(value) || !isObject(base) || (Array.isArray(value) && value.length !== Object.keys(base).length)) {
    if (JSON.stringify(value) !== JSON.stringify(base)) yield `${path}: ${shortJson(value)}`;
    return;
  }
  const members = new Map(Object.entries(base));
  for (const [key, member] of Object.entries(value)) {
    yield* changes(member, members.get(key), path === '' ? key : `${path}.${key}`);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
