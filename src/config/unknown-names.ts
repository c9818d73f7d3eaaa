import type { Finding, KeyPath } from '../model/problem.ts';
import { nearest } from './suggest.ts';

/** A list of the configuration whose entries are called by their names elsewhere. */
export interface NamedList {
  /** Its key, such as `receivers`. */
  readonly key: string;
  readonly names: readonly string[];
  /** What is said of a name that is not in it. */
  readonly message: string;
}

/**
 * Complains about a name that a list does not have. The hint points at the entry that is meant, and does not repeat
 * its name: no configured value is ever repeated.
 */
export function unknownName(path: KeyPath, named: string | undefined, list: NamedList): readonly Finding[] {
  const { key, names, message } = list;
  if (named === undefined || names.includes(named)) return [];
  const close = nearest(named, names);
  const hint = close === undefined ? {} : { hint: `did you mean the name of ${key}[${names.indexOf(close)}]?` };
  return [{ path, message, ...hint }];
}

/** The list of those who can be told. */
export function receiverList(names: readonly string[]): NamedList {
  return { key: 'receivers', names, message: 'is no receiver of alerts.receivers' };
}
