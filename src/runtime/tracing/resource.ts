/** What every span says of the process that sent it. */
export type ResourceAttributes = Readonly<Record<string, string>>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Ours, and what `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` put in their place. */
export function resourceOf(own: ResourceAttributes, environment: Environment): ResourceAttributes {
  const service = environment.OTEL_SERVICE_NAME?.trim() ?? '';
  return {
    ...own,
    ...pairs(environment.OTEL_RESOURCE_ATTRIBUTES ?? ''),
    ...(service === '' ? {} : { 'service.name': service }),
  };
}

/** `key=value` with commas between and percent signs decoded; by the specification one bad pair spoils all. */
function pairs(text: string): ResourceAttributes {
  const found: Record<string, string> = {};
  for (const pair of text.split(',').filter((one) => one.trim() !== '')) {
    const [, key = '', value] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    const decoded = decode(value?.trim() ?? '%');
    if (decoded === undefined || key.trim() === '') return {};
    found[key.trim()] = decoded;
  }
  return found;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
