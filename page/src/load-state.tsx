import type { MissingClusters } from '../../src/api/fields.ts';
import { missingLines } from '../../src/api/replica-lines.ts';
import { daemonTime, type Loaded, missingIn, oldAfter } from './data.ts';
import { elapsedSince } from './format.ts';

/** Message that data is loading, cannot be loaded, or is old; empty if the data is current. */
export function LoadState({ loaded, what }: { readonly loaded: Loaded<unknown>; readonly what: string }) {
  const { value, at, error } = loaded;
  if (value === undefined && error === undefined) return <p class="soft">Loading {what}…</p>;
  if (error === undefined) return <Missing missing={missingIn(value)} />;
  const age = at === undefined ? undefined : daemonTime() - at;
  if (age !== undefined && age < oldAfter) return null;
  const shown =
    at === undefined ? '' : ` The data shown was loaded ${elapsedSince(new Date(at).toISOString(), daemonTime())} ago.`;
  return (
    <p class="notice red" role="alert">
      The {what} cannot be loaded: {error.replace(/\.$/, '')}.{shown}
    </p>
  );
}

/** Message about clusters that a list lacks; empty if it is complete. */
export function Missing({ missing }: { readonly missing: readonly MissingClusters[] }) {
  if (missing.length === 0) return null;
  return (
    <div class="notice" role="alert">
      {missingLines(missing).map((line) => (
        <p key={line}>{line}.</p>
      ))}
    </div>
  );
}
