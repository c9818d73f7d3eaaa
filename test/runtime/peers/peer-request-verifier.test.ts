import { describe, expect, it } from 'vitest';
import type { IncomingRequest, OutgoingReply } from '../../../src/kernel/listener.ts';
import { RejectedRequest } from '../../../src/runtime/http-messages.ts';
import { PeerRequestVerifier, signatureWindow } from '../../../src/runtime/peers/peer-request-verifier.ts';
import { hashOf, isReplySigned, type SignedRequest, signRequest } from '../../../src/runtime/peers/peer-signature.ts';
import { FakeClock } from '../../support/clock.ts';
import { pieces } from '../../support/served-listener.ts';

const target = { method: 'POST', path: '/api/v1/guard/pause', query: new URLSearchParams('') };

function world(reply: OutgoingReply = { status: 200, body: 'done' }) {
  const clock = new FakeClock();
  const verifier = new PeerRequestVerifier({ clock, id: 'b', key: () => 'key' });
  const handled: IncomingRequest[] = [];
  const answer = verifier.protect(
    async (request) => {
      handled.push(request);
      return reply;
    },
    async () => ({ status: 401 }),
  );
  let nonce = 0;
  const sign = (more: Partial<SignedRequest> = {}, body = '', key = 'key'): string => {
    nonce += 1;
    const signed = {
      from: 'a',
      to: 'b',
      at: clock.now().wall,
      nonce: String(nonce),
      user: undefined,
      operator: undefined,
    };
    return signRequest(key, target, { ...signed, bodyHash: hashOf(body), ...more });
  };
  const send = (authorization: string, body = '', more: Partial<IncomingRequest> = {}): Promise<OutgoingReply> =>
    answer({
      ...target,
      headers: { authorization },
      remoteAddress: '10.0.0.7',
      disconnected: new AbortController().signal,
      text: async (most) => {
        if (body.length > most) throw new RejectedRequest(413, 'too large');
        return body;
      },
      ...more,
    });
  return { clock, verifier, handled, sign, send };
}

describe('a signed request', () => {
  it('is answered in the name of its user, and never in the name that the listener authenticated', async () => {
    const { handled, sign, send } = world();
    await send(sign({ user: 'alice' }, '{}'), '{}', { user: 'proxy', operator: 'local' });
    await send(sign({ operator: 'local' }), '', { user: 'proxy' });
    await send(sign());
    expect(handled.map(({ user, operator, replica }) => [user, operator, replica])).toEqual([
      ['alice', undefined, 'a'],
      [undefined, 'local', 'a'],
      [undefined, undefined, 'a'],
    ]);
    expect(await handled[0]?.text(100)).toBe('{}');
    await expect(handled[0]?.text(1)).rejects.toThrow('larger than 1 bytes');
  });

  it('is recognised by its scheme', () => {
    const { verifier, sign } = world();
    expect(verifier.isSigned({ authorization: sign() })).toBe(true);
    expect(verifier.isSigned({ authorization: 'Basic x' })).toBe(false);
    expect(verifier.isSigned({})).toBe(false);
  });

  it('is refused with another key, another target, another body, or for another replica', async () => {
    const { handled, sign, send } = world();
    const refused = [
      send(sign({}, '', 'other')),
      send(sign(), '', { method: 'GET' }),
      send(sign(), '', { path: '/api/v1/guard/resume' }),
      send(sign(), '', { query: new URLSearchParams('cluster=prod') }),
      send(sign({}, '{}'), '{"cluster":"prod"}'),
      send(sign({ to: 'c' })),
      send('Graphwarden-Replica forged.00'),
    ];
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual(refused.map(() => 401));
    expect(handled).toEqual([]);
  });

  it('is accepted once, within a minute of the time that it states', async () => {
    const { clock, handled, sign, send } = world();
    const recorded = sign();
    expect((await send(recorded)).status).toBe(200);
    expect((await send(recorded)).status).toBe(401);
    const now = clock.now().wall;
    expect((await send(sign({ at: now - signatureWindow - 1 }))).status).toBe(401);
    expect((await send(sign({ at: now + signatureWindow + 1 }))).status).toBe(401);
    expect((await send(sign({ at: Number.NaN }))).status).toBe(401);
    const early = sign({ at: now + signatureWindow });
    expect((await send(early)).status).toBe(200);
    await clock.advance(2 * signatureWindow);
    for (const old of [early, recorded]) expect((await send(old)).status).toBe(401);
    expect((await send(sign())).status).toBe(200);
    expect(handled).toHaveLength(3);
  });

  it('with a large body is refused before a handler gets it', async () => {
    const { handled, sign, send } = world();
    const body = 'x'.repeat(70_000);
    await expect(send(sign({}, body), body)).rejects.toThrow('too large');
    expect(handled).toEqual([]);
  });

  it('waits until the key is available', async () => {
    const verifier = new PeerRequestVerifier({ clock: new FakeClock(), id: 'b', key: () => undefined });
    const answer = verifier.protect(
      async () => ({ status: 200 }),
      async () => ({ status: 401 }),
    );
    expect((await answer({ headers: {} } as IncomingRequest)).status).toBe(503);
  });
});

const signatureOf = ({ headers = {} }: OutgoingReply): string => headers['graphwarden-signature'] ?? '';

describe('the reply to a signed request', () => {
  it.each([
    ['a text', 'done', 'done'],
    ['bytes', Buffer.from('done'), 'done'],
    ['pieces', [Buffer.from('do'), Buffer.from('ne')], 'done'],
    ['nothing', undefined, ''],
  ])('is signed with %s', async (_, body, text) => {
    const { sign, send } = world({ status: 207, ...(body !== undefined && { body }), headers: { 'x-other': '1' } });
    const reply = await send(sign({ nonce: 'n' }));
    expect(reply.headers).toMatchObject({ 'x-other': '1' });
    const signed = { status: 207, bodyHash: hashOf(text), signature: signatureOf(reply) };
    expect(isReplySigned('key', 'n', signed)).toBe(true);
  });

  it('is not a stream', async () => {
    let sent = 0;
    const { sign, send } = world({ status: 200, body: pieces('a'), onSent: () => (sent += 1) });
    expect((await send(sign())).status).toBe(406);
    expect(sent).toBe(1);
  });
});
