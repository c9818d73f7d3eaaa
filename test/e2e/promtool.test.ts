import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Child, eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { startDemo } from '../support/program.ts';
import { findTool } from '../support/tools.ts';

const promtool = findTool('promtool');

describe.skipIf(promtool === undefined)('promtool check metrics', () => {
  let url: string;
  let child: Child;

  beforeAll(async () => {
    ({ url, child } = await startDemo());
    const shown = [
      'graphdb_license_expiration',
      'graphdb_queries_running',
      'graphdb_endpoint_latency_seconds{',
      'svc_',
    ];
    await eventually('every collector has shown something', async () => {
      const { text } = await send(`${url}/metrics`);
      return shown.every((name) => text.includes(name));
    });
  });

  afterAll(async () => {
    await child.stop();
  });

  it('promtool reports no problem of own families', async () => {
    const { text } = await send(`${url}/metrics`);
    const { stdout, stderr } = spawnSync(promtool ?? '', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    const findings = `${stdout}${stderr}`.split('\n');
    expect(findings.filter((line) => /^(?:graphdb|graphwarden|process|nodejs)_/.test(line))).toEqual([]);
    expect(findings.filter((line) => /error while linting/i.test(line))).toEqual([]);
  });

  it('reports a problem of an invalid page', () => {
    const { stderr } = spawnSync(promtool ?? '', ['check', 'metrics'], {
      input: 'graphdb_x_total 1\n',
      encoding: 'utf8',
    });
    expect(stderr).toContain('graphdb_x_total');
  });
});
