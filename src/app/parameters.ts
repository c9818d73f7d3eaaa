/** A value in the query string. */
export interface Parameter {
  readonly name: string;
  readonly about: string;
  /** Its JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required?: boolean;
}

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };

/** Parameters that narrow a list down by members of its items: where a member is one of few words, so is its parameter. */
export function filtersBy(names: readonly string[], members: Readonly<Record<string, Schema>>): readonly Parameter[] {
  return names.map((name) => {
    const member = members[name] ?? text;
    const isClosed = wordsOf(member) !== undefined;
    return { name, about: `Only those whose ${name} is this.`, schema: isClosed ? member : text };
  });
}

/**
 * What is wrong with the values that `query` has for `parameters`, as a sentence; undefined where nothing is. A word that no
 * item can have, and one of two values, would else look like a list in which there is nothing.
 */
export function wrongValue(parameters: readonly Parameter[], query: URLSearchParams): string | undefined {
  for (const { name, schema } of parameters) {
    const given = query.getAll(name);
    if (given.length > 1 && schema.type !== 'array') return `${name} is given ${given.length} times: give it once.`;
    const words = wordsOf(schema);
    const wrong = words === undefined ? undefined : given.find((word) => !words.includes(word));
    if (wrong !== undefined) return `'${wrong}' is no ${name}: say one of ${words?.filter(Boolean).join(', ')}.`;
  }
  return undefined;
}

/** The words that there are; undefined where any will do. */
function wordsOf(schema: Schema): readonly string[] | undefined {
  if (schema.type === 'boolean') return ['true', 'false'];
  return Array.isArray(schema.enum) ? schema.enum.filter((word) => typeof word === 'string') : undefined;
}
