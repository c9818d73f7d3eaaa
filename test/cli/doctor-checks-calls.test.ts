import { expect, it } from 'vitest';
import { doctorCalls } from '../../src/cli/doctor-checks.ts';
import type { GraphDb } from '../../src/graphdb/graph-db.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { informantCategories } from '../../src/model/node.ts';

const never = new AbortController().signal;
const graphs = ['fraud', 'social'];

/** A database that answers every call, and notes with which arguments it was made. */
function answeringAll(refused?: string): { readonly db: GraphDb; readonly requested: readonly string[] } {
  const requested: string[] = [];
  const answer =
    (call: string) =>
    async (...given: readonly unknown[]) => {
      const words = [call, ...given.filter((one) => typeof one === 'string')].join(' ');
      expect(given.at(-1)).toBe(never);
      requested.push(words);
      if (words === refused) return err(failure('auth', 'no'));
      return ok(call === 'graphs' ? graphs : []);
    };
  const calls = Object.keys(doctorCalls).map((call) => [call, answer(call)]);
  const db: GraphDb = Object.assign({ cluster: 'prod', node: 'm1' }, Object.fromEntries(calls));
  return { db, requested };
}

const perGraph = [
  'statistics',
  'processList',
  'detachedQueries',
  'graphSchema',
  'schemaVersion',
  'graphSize',
  'queryDefinitions',
  'loadingRuns',
  'vectorStatus',
  'cardinality',
];
const plain = Object.keys(doctorCalls).filter((call) => ![...perGraph, 'category'].includes(call));

it.each(plain)('doctor › %s is requested once', async (call) => {
  const { db, requested } = answeringAll();
  expect(await runCheck(call, db)).toMatchObject({ ok: true });
  expect(requested).toEqual([call]);
});

it.each(perGraph)('doctor › %s is requested for each graph', async (call) => {
  const { db, requested } = answeringAll();
  expect(await runCheck(call, db)).toMatchObject({ ok: true });
  expect(requested).toEqual(['graphs', `${call} fraud`, `${call} social`]);
});

it('doctor › each category is requested', async () => {
  const { db, requested } = answeringAll();
  expect(await runCheck('category', db)).toMatchObject({ ok: true });
  expect(requested).toEqual(informantCategories.map((category) => `category ${category}`));
});

it.each([
  ['statistics', 'graphs', ['graphs']],
  ['statistics', 'statistics fraud', ['graphs', 'statistics fraud']],
  ['category', 'category cpu-memory', ['category cpu-memory']],
])('doctor › %s ends with the first refusal (%s)', async (call, refused, expected) => {
  const { db, requested } = answeringAll(refused);
  expect(await runCheck(call, db)).toMatchObject({ ok: false, error: { reason: 'auth' } });
  expect(requested).toEqual(expected);
});

function runCheck(call: string, db: GraphDb) {
  const [name] = Object.keys(doctorCalls).filter((known): known is keyof typeof doctorCalls => known === call);
  if (name === undefined) throw new Error(`no call ${call}`);
  return doctorCalls[name](db, never);
}
