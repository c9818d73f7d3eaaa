import type { Environment } from './environment.ts';
import { readYaml } from './yaml-source.ts';

/** Value of a top-level key; undefined if the file does not have the key. */
export interface TopLevelValue {
  readonly value: unknown;
}

/** Whether a value is a mapping. */
export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reader of single top-level keys of a text; returns undefined for a key that cannot be read. */
export type TopLevelReader = (key: string) => TopLevelValue | undefined;

/** Returns the reader of a file that may have errors in other keys than those that are read. */
export function topLevelReader(text: string, environment: Environment): TopLevelReader {
  const whole = validYaml(text, environment);
  return (key) => {
    if (isMapping(whole)) return { value: whole[key] };
    const alone = whole === undefined ? validYaml(linesOf(text, key), environment) : undefined;
    // An alias of an anchor elsewhere has no value.
    return isMapping(alone) && alone[key] !== undefined ? { value: alone[key] } : undefined;
  };
}

/** Returns the value of a text without syntax errors and duplicate keys; undefined for other texts. */
function validYaml(text: string, environment: Environment): unknown {
  const { value, problems } = readYaml(text, '', environment);
  return value === undefined || problems.some(({ path }) => path === '') ? undefined : value;
}

/** Returns the lines of the only top-level key of this name, so that the syntax of the others does not matter. */
function linesOf(text: string, key: string): string {
  const lines = text.split(/\r?\n/);
  const beginning = new RegExp(`^(['"]?)${key}\\1\\s*:`);
  const [start = -1, ...others] = lines.flatMap((line, at) => (beginning.test(line) ? [at] : []));
  if (start < 0 || others.length > 0) return '';
  const length = lines.slice(start + 1).findIndex((line) => /^[^\s#]/.test(line));
  return lines.slice(start, length < 0 ? undefined : start + 1 + length).join('\n');
}
