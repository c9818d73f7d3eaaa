import { expect, it } from 'vitest';
import { withDaemon } from '../../src/cli/with-daemon.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { livePorts } from '../support/live-ports.ts';
import { freePort } from '../support/ports.ts';
import { answering, serve } from '../support/serving.ts';

async function done(url: string, work: Parameters<typeof withDaemon>[2]) {
  const ports = livePorts();
  const code = await withDaemon({ flags: { url }, arguments: [] }, ports, work);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

it('prints what comes of it', async () => {
  const { url } = await serve(answering({ body: '{"a":1}' }));
  const answer = await done(url, async (api) => {
    const got = await api.call({ method: 'GET', path: '/' });
    return ok(`${JSON.stringify(got)}\n`);
  });
  expect(answer).toEqual({ code: 0, out: '{"ok":true,"value":{"a":1}}\n', error: '' });
});

it('says what went wrong', async () => {
  const { url } = await serve(answering({ status: 403, body: '{"detail":"no operator"}' }));
  const call = { method: 'DELETE', path: '/' } as const;
  const refused = await done(url, async (api) => {
    const got = await api.call(call);
    return got.ok ? ok('done') : got;
  });
  expect(refused).toMatchObject({ code: 1, out: '', error: expect.stringContaining('no operator') });
  const nobody = await done(`http://127.0.0.1:${await freePort()}`, async () => err('this'));
  expect(nobody).toEqual({ code: 1, out: '', error: 'graphwarden: this\n' });
});
