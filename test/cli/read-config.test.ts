import { expect, it } from 'vitest';
import { readConfig, readConfigOrMessage } from '../../src/cli/read-config.ts';
import { testPorts } from '../support/cli-ports.ts';

it('readConfig returns the validated configuration', async () => {
  const ports = testPorts();
  ports.disk.set('a.yml', 'clusters: [{ name: prod, nodes: [{ name: m1, url: "http://10.0.0.1:14240" }] }]');
  expect(await readConfig('a.yml', ports)).toMatchObject({ ok: true, value: { clusters: [{ name: 'prod' }] } });
});

it('readConfig reports an unreadable file as a problem at its first line', async () => {
  const error = { file: 'a.yml', line: 1, column: 1, path: '', message: "cannot read 'a.yml': no such file" };
  expect(await readConfig('a.yml', testPorts())).toEqual({ ok: false, error: [error] });
});

it('problems are printed as text, one per line', async () => {
  const ports = testPorts();
  ports.disk.set('a.yml', 'clusters: 5\n');
  const read = await readConfigOrMessage('a.yml', ports);
  expect(read.ok ? '' : read.error).toMatch(/^a\.yml:1:\d+: clusters: .*\n$/);
});
