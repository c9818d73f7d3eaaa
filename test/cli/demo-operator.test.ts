import { expect, it } from 'vitest';
import { textReply } from '../../src/app/api/reply.ts';
import { createDemoOperator } from '../../src/cli/demo-operator.ts';
import { base64 } from '../../src/graphdb/credentials.ts';
import type { IncomingRequest } from '../../src/kernel/listener.ts';
import { sendRequest } from '../app/fakes.ts';

const remoteAddress = '127.0.0.1';

const basic = (user: string, password: string) => ({
  headers: { authorization: `Basic ${base64(`${user}:${password}`)}` },
});

function demo() {
  let created = 0;
  const operator = createDemoOperator(() => {
    created += 1;
    return `token-${created}`;
  });
  const handler = operator.authenticate(async (request) => textReply(request.operator ?? 'anonymous'));
  const who = async (more: Partial<IncomingRequest> = {}) =>
    (await sendRequest(handler, '/api', { remoteAddress, ...more })).body.trim();
  return { operator, handler, who };
}

it('the link in the terminal grants one browser session', async () => {
  const { operator, handler, who } = demo();
  const open = () => sendRequest(handler, `/${operator.query}`, { remoteAddress });
  const first = await open();
  expect([first.status, first.headers.location]).toEqual([303, '/']);
  const cookie = first.headers['set-cookie'] ?? '';
  expect(cookie).toContain('HttpOnly; SameSite=Strict');
  expect((await open()).headers).not.toHaveProperty('set-cookie');
  expect(await who({ headers: { cookie: `a=b; ${cookie.split(';')[0]}` } })).toBe('demo');
});

it('the user of the terminal can run operator actions', async () => {
  const { operator, who } = demo();
  expect(await who(basic(operator.user, operator.password))).toBe('demo');
  expect(await who(basic(operator.user, 'token-2'))).toBe('anonymous');
  expect(await who(basic('x', operator.password))).toBe('anonymous');
});

it('no other client can run operator actions', async () => {
  const { handler, who } = demo();
  const wrong = await sendRequest(handler, '/?token=x', { remoteAddress });
  expect([wrong.status, wrong.headers['set-cookie']]).toEqual([303, undefined]);
  expect(await who()).toBe('anonymous');
  expect(await who({ headers: { cookie: 'graphwarden_demo=x' } })).toBe('anonymous');
});
