import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** String with replaced `${NAME}` references; a reference that cannot be replaced is unchanged. */
export interface ExpandedText {
  readonly text: string;
  /** One message per invalid reference. */
  readonly errors: readonly string[];
}

/** Replaces `${NAME}` anywhere in `text`, once: a value is never expanded again. `$${NAME}` stands for `${NAME}`. */
export function expandEnvironment(text: string, environment: Environment): ExpandedText {
  const errors: string[] = [];
  const replaced = text.replaceAll(/(\$?)\$\{([^}]*)(\}?)/g, (whole, dollar: string, name: string, end: string) => {
    if (dollar !== '') return whole.slice(1);
    if (end === '' || !/^[A-Za-z_]\w*$/.test(name)) {
      errors.push('contains an invalid reference to an environment variable; write ${NAME}, or $${ for a literal ${');
      return whole;
    }
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (value === undefined)
      errors.push(`refers to the environment variable ${name}, which is not set; set it or replace the reference`);
    return value ?? whole;
  });
  return { text: replaced, errors };
}

/** Finds texts such as `$NAME/state` and `~/state`, which a shell would replace. */
export function unexpandedTexts(value: unknown, path: KeyPath = []): readonly UnlocatedProblem[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, part]) =>
      unexpandedTexts(part, [...path, Array.isArray(value) ? Number(key) : key]),
    );
  if (typeof value !== 'string') return [];
  if (/^~(?:\/|$)/.test(value))
    return [{ path, message: 'begins with ~, which is not replaced by the home directory; write the whole path' }];
  if (!/^\$[A-Z_][A-Z0-9_]*(?:\/|$)/.test(value)) return [];
  return [{ path, message: 'is not a reference to an environment variable, and is used literally; write ${NAME}' }];
}
