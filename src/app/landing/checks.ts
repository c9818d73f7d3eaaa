import type { CheckReport } from '../report.ts';
import { type Statement, say } from './statement.ts';
import { count, list, span } from './words.ts';

/** «data_consistency passed 3 h ago», or what is out of step. */
export function checksInWords(checks: readonly CheckReport[], wall: number): readonly Statement[] {
  if (checks.length === 0) return [say('plain', 'None has run yet')];
  return [...Map.groupBy(checks, ({ check }) => check)].map(([check, verdicts]) => ofCheck(check, verdicts, wall));
}

function ofCheck(check: string, verdicts: readonly CheckReport[], wall: number): Statement {
  const ran = verdicts.find(({ lastRun }) => lastRun !== null)?.lastRun;
  const ago = typeof ran === 'string' ? ` ${span(wall - Date.parse(ran))} ago` : '';
  const failed = verdicts.filter(({ passed }) => !passed);
  if (failed.length === 0) return say('good', `${check} passed${ago}`);
  return say('bad', `${check} failed${ago}: ${list(failed.map(whatDiffers))}`);
}

function whatDiffers({ graph, partition, engine, unsyncedEntries }: CheckReport): string {
  const place = [graph === '' ? '' : `graph ${graph}`, partition === '' ? '' : `partition ${partition}`, engine].filter(
    (part) => part !== '',
  );
  const entries = unsyncedEntries === null ? '' : `${count(unsyncedEntries, 'unsynced entry')} in `;
  return `${entries}${place.length === 0 ? 'the cluster' : place.join(', ')}`;
}
