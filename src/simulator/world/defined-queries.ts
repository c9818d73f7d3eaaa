import { installedQueries } from './query.ts';

/** Query that is defined on every graph. */
export interface DefinedQuery {
  readonly name: string;
  readonly isValid: boolean;
}

/** Returns the installed queries; a change of the schema makes the first invalid and drops the last. */
export function definedQueries(isSchemaChanged: boolean): readonly DefinedQuery[] {
  const kept = isSchemaChanged ? installedQueries.slice(0, -1) : installedQueries;
  return kept.map((name, at) => ({ name, isValid: !isSchemaChanged || at > 0 }));
}
