import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { eventually } from '../support/child.ts';
import { startDaemon } from '../support/daemon.ts';
import { readJson, sendUnchecked } from '../support/http.ts';
import { temporaryFolder } from '../support/live-ports.ts';

const audit = z.object({ items: z.array(z.object({ action: z.string(), by: z.string() })) });

it('a correct password is accepted during a flood of wrong ones from the same host', async () => {
  const file = join(await temporaryFolder(), 'web.yml');
  const names = Array.from({ length: 10 }, (_, at) => `user-${at}`);
  const hash = hashSync('secret', 10);
  await writeFile(file, stringify({ basic_auth_users: Object.fromEntries(names.map((name) => [name, hash])) }));
  const clusters = [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:9' }] }];
  const daemon = await startDaemon(stringify({ listen: '127.0.0.1:0', clusters, web_config_file: file }));
  const login = async (user: string, password: string): Promise<number> => {
    const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}` };
    return (await sendUnchecked(`${daemon.url}/api/v1/collectors`, { headers })).status;
  };
  const flood = new AbortController();
  const wrong = new Set<number>();
  const attackers = Array.from({ length: 24 }, async () => {
    while (!flood.signal.aborted) wrong.add(await login('mallory', 'wrong'));
  });
  await eventually('the flood is refused', async () => wrong.has(429));
  const statuses: number[] = [];
  for (const name of names) statuses.push(await login(name, 'secret'));
  flood.abort();
  await Promise.all(attackers);
  expect(statuses).toEqual(names.map(() => 200));
  expect(wrong).toEqual(new Set([401, 429]));
  const socketPath = join(daemon.folder, 'state', 'control.sock');
  const audited = audit.parse(await readJson('http://localhost/api/v1/guard/audit', { socketPath }));
  const items = audited.items.filter(({ action }) => action !== 'start');
  // The test may take longer than a minute, after which an address gets another entry.
  expect(new Set(items.map(({ action, by }) => `${action} ${by}`))).toEqual(
    new Set(['authentication_failed 127.0.0.1']),
  );
  expect(items.length).toBeLessThanOrEqual(10);
  expect(JSON.stringify(items)).not.toContain('mallory');
});
