/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A string after its `${NAME}` references were replaced; what could not be replaced stays as it was. */
export interface Expanded {
  readonly text: string;
  /** One sentence per reference that is wrong. */
  readonly complaints: readonly string[];
}

/** Replaces `${NAME}` anywhere in `text`, once: a value is never expanded again. `$${NAME}` stands for `${NAME}`. */
export function expand(text: string, environment: Environment): Expanded {
  const complaints: string[] = [];
  const replaced = text.replaceAll(/(\$?)\$\{([^}]*)(\}?)/g, (whole, dollar: string, name: string, end: string) => {
    if (dollar !== '') return whole.slice(1);
    if (end === '' || !/^[A-Za-z_]\w*$/.test(name)) {
      complaints.push('holds a reference to the environment that is not a name in braces');
      return whole;
    }
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (value === undefined) complaints.push(`refers to the environment variable ${name}, which is not set`);
    return value ?? whole;
  });
  return { text: replaced, complaints };
}
