import { expect, it } from 'vitest';
import { withDaemon } from '../../src/cli/daemon-api.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { freePort } from '../support/free-port.ts';
import { livePorts } from '../support/live-ports.ts';
import { fixedReply, serve } from '../support/served-listener.ts';

async function done(url: string, work: Parameters<typeof withDaemon>[2]) {
  const ports = livePorts();
  const code = await withDaemon({ flags: { url }, arguments: [] }, ports, work);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

it('daemon API session › prints the response', async () => {
  const { url } = await serve(fixedReply({ body: '{"a":1}' }));
  const answer = await done(url, async (api) => {
    const got = await api.call({ method: 'GET', path: '/' });
    return ok(`${JSON.stringify(got)}\n`);
  });
  expect(answer).toEqual({ code: 0, out: '{"ok":true,"value":{"a":1}}\n', error: '' });
});

it('daemon API session › prints the error', async () => {
  const { url } = await serve(fixedReply({ status: 403, body: '{"detail":"no operator"}' }));
  const call = { method: 'DELETE', path: '/' } as const;
  const refused = await done(url, async (api) => {
    const got = await api.call(call);
    return got.ok ? ok('done') : got;
  });
  expect(refused).toMatchObject({ code: 1, out: '', error: expect.stringContaining('no operator') });
  const none = await done(`http://127.0.0.1:${await freePort()}`, async () => err('this'));
  expect(none).toEqual({ code: 1, out: '', error: 'graphwarden: this\n' });
});
