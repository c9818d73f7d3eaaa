import { describe, expect, it } from 'vitest';
import { readList } from '../../../src/graphdb/endpoints/list.ts';
import { callerOver, factsOf, failureOf, patient } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

function entry(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function read(body: unknown): ReturnType<typeof readList<number>> {
  const caller = callerOver(new FakePool(['POST /informant/current-service-status', answer(body)]));
  return readList(caller, { name: 'serviceStatus', input: { body: {} }, member: 'items', entry }, patient());
}

describe('a list', () => {
  it.each([
    [{ items: [1, 2] }, [1, 2]],
    [{ items: [1, 'odd', null, 2] }, [1, 2]],
    [{ items: [] }, []],
    [{ items: null }, []],
    [{}, []],
    [{ items: [3], more: true }, [3]],
  ])('%j gives %j', async (body, expected) => {
    expect(factsOf(await read(body))).toEqual(expected);
  });

  it.each([{ other: [] }, { items: 'text' }, { items: {} }, { items: 7 }])('%j is no list', async (body) => {
    expect(failureOf(await read(body))).toEqual({
      reason: 'body',
      message: 'POST /informant/current-service-status on m1: the answer has no list of items',
    });
  });
});
