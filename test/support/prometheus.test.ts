import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './child.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';
import { findTool } from './tools.ts';

describe.skipIf(findTool('prometheus') === undefined)('the Prometheus of the tests', () => {
  const page = '# TYPE answer gauge\nanswer{of="everything"} 42\n# TYPE top gauge\ntop +Inf\n';
  const server = createServer((_, response) => response.end(page));
  let prometheus: Prometheus;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    prometheus = await startPrometheus([{ job_name: 'page', static_configs: [{ targets: [`127.0.0.1:${port}`] }] }]);
  });

  afterAll(async () => {
    await prometheus.stop();
    server.close();
  });

  it('scrapes a target and answers for its values', async () => {
    await prometheus.scraped();
    const [answer, ...others] = await prometheus.query('answer');
    expect(others).toEqual([]);
    expect(answer).toMatchObject({ value: 42, labels: { of: 'everything', job: 'page' } });
    expect((await prometheus.query('top'))[0]?.value).toBe(Number.POSITIVE_INFINITY);
    expect(await prometheus.query('nothing')).toEqual([]);
  });

  it('reports why a target is down', async () => {
    server.close();
    server.closeAllConnections();
    const down = await eventually('the target is down', async () =>
      (await prometheus.targets()).find(({ health }) => health === 'down'),
    );
    expect(down.lastError).toContain('refused');
  });
});
