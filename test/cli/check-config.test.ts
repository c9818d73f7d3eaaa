import { expect, it } from 'vitest';
import { checkConfig } from '../../src/cli/check-config.ts';
import { testPorts } from '../support/cli-ports.ts';

const good = 'clusters:\n  - name: prod\n    nodes:\n      - { name: m1, url: "http://10.0.0.1:14240" }\n';

it('says ok', async () => {
  const ports = testPorts();
  ports.disk.set('a.yml', good);
  expect(await checkConfig.run({ flags: {}, arguments: ['a.yml'] }, ports)).toBe(0);
  expect(ports.stdout.text()).toBe('ok\n');
});

it('says everything that is wrong, with its place', async () => {
  const ports = testPorts();
  ports.disk.set('a.yml', `lisen: x\n${good}      - { name: m1, url: 7 }\n`);
  expect(await checkConfig.run({ flags: {}, arguments: ['a.yml'] }, ports)).toBe(2);
  const lines = ports.stdout.text().trimEnd().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(2);
  expect(lines.every((line) => /^a\.yml:\d+:\d+: /.test(line))).toBe(true);
  expect(lines[0]).toMatch(/listen/);
});

it('takes variables from the environment', async () => {
  const ports = testPorts({ environment: { NODE_URL: 'http://10.0.0.1:14240' } });
  ports.disk.set('a.yml', good.replace('http://10.0.0.1:14240', '${NODE_URL}'));
  expect(await checkConfig.run({ flags: {}, arguments: ['a.yml'] }, ports)).toBe(0);
});

it('says that there is no such file', async () => {
  const ports = testPorts();
  expect(await checkConfig.run({ flags: {}, arguments: ['none.yml'] }, ports)).toBe(2);
  expect(ports.stdout.text()).toBe("none.yml:1:1: cannot read 'none.yml': there is no such file\n");
});
