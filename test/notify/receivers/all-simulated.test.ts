import { expect, it } from 'vitest';
import { receivers, simulatedReceiverApis } from '../../../src/notify/receivers/all.ts';
import { receivedAt } from '../../simulator/receivers/request-fixtures.ts';

it('simulated receivers › include every kind but e-mail, with a request path below the configured path', () => {
  expect([...simulatedReceiverApis.keys()]).toEqual(
    receivers.map(({ kind }) => kind).filter((kind) => kind !== 'email'),
  );
  for (const { urlPath, requestPath } of simulatedReceiverApis.values())
    expect(requestPath.startsWith(urlPath)).toBe(true);
});

it.each([...simulatedReceiverApis])(
  'simulated receivers › %s replies to an invalid body and stores nothing',
  (_, api) => {
    for (const body of ['', 'null', '[]', '{}', '[null]', '"text"', '{"alerts":null}', '\u0000']) {
      const { reply, kept } = api.handle(body, receivedAt);
      expect([200, 400]).toContain(reply.status);
      expect(kept).toEqual([]);
    }
  },
);
