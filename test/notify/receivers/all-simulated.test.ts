import { expect, it } from 'vitest';
import { receivers, simulatedReceiverApis } from '../../../src/notify/receivers/all.ts';
import { receivedAt } from '../../simulator/receivers/request-fixtures.ts';

it('simulated receivers › has a simulated twin of every kind but e-mail, whose request path begins with the configured path', () => {
  expect([...simulatedReceiverApis.keys()]).toEqual(
    receivers.map(({ kind }) => kind).filter((kind) => kind !== 'email'),
  );
  for (const { urlPath, requestPath } of simulatedReceiverApis.values())
    expect(requestPath.startsWith(urlPath)).toBe(true);
});

it.each([...simulatedReceiverApis])('the twin of %s survives any body', (_, api) => {
  for (const body of ['', 'null', '[]', '{}', '[null]', '"text"', '{"alerts":null}', '\u0000']) {
    const { reply, kept } = api.handle(body, receivedAt);
    expect([200, 400]).toContain(reply.status);
    expect(kept).toEqual([]);
  }
});
