import { describe, expect, it } from 'vitest';
import { ok } from '../../src/kernel/result.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { callerOver, factsOf, neverAborted } from '../support/client.ts';
import { answer, FakePool } from '../support/fake-pool.ts';

const missing = answer('', 404);

describe('the source of a reply', () => {
  const list = { error: false, results: [] };
  const from = (peer: string) => {
    const reply = answer(list);
    return reply.ok ? ok({ ...reply.value, peer }) : reply;
  };

  it('is returned with the path form that the server accepted', async () => {
    const pool = new FakePool(
      ['GET /restpp/showprocesslistall', missing],
      ['GET /restpp/echo', missing],
      ['GET /echo', answer({ error: false, message: 'Hello GSQL' })],
      ['GET /showprocesslistall', from('10.0.0.1:9000')],
    );
    const located = factsOf(await callerOver(pool).jsonWithOrigin('processListAll', {}, neverAborted()));
    expect(located).toMatchObject({ json: list, address: '10.0.0.1:9000', form: 'older' });
  });

  it('is empty if it is unknown', async () => {
    const pool = new FakePool(['GET /restpp/showprocesslistall', answer(list)]);
    const located = factsOf(await callerOver(pool).jsonWithOrigin('processListAll', {}, neverAborted()));
    expect(located).toMatchObject({ address: '', form: 'current' });
  });
});

it('call origin › includes a token request on behalf of others', async () => {
  const pool = new FakePool(['POST /gsql/v1/tokens', answer({ error: false, token: 't' })]);
  const caller = callerOver(pool, { auth: { kind: 'bearer', token: { value: new Secret('mine') } } });
  expect(factsOf(await caller.exchange('tokens', { secret: 's' }, neverAborted()))).toMatchObject({ token: 't' });
  expect(pool.requests[0]).toMatchObject({ body: '{"secret":"s"}' });
  expect(pool.requests[0]?.headers).not.toHaveProperty('authorization');
});
