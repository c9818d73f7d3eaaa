import { expect, it } from 'vitest';
import { quoteName, schemaSteps, stateTables } from '../../../src/runtime/postgres/schema.ts';

it('PostgreSQL schema › creates each table of the state once', () => {
  const created = schemaSteps.flat().flatMap((statement) => /^CREATE TABLE "(\w+)"/.exec(statement)?.[1] ?? []);
  expect(created.toSorted()).toEqual(Object.keys(stateTables).toSorted());
});

it('PostgreSQL schema › rejects invalid names', () => {
  expect(quoteName('guard_intents')).toBe('"guard_intents"');
  expect(() => quoteName('a"; DROP')).toThrow('is not a valid table or column name');
});
