import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { expositionReply, metricsRoute } from '../../../src/app/api/metrics-route.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { createRouteDependencies } from '../fake-route-dependencies.ts';
import { clusterOf, configOf, testbed } from '../fakes.ts';

function request(headers: Record<string, string>): IncomingRequest {
  return { headers } as IncomingRequest;
}

async function tail(format: string): Promise<string> {
  return `tail of ${format}`;
}

const openMetrics = { accept: 'application/openmetrics-text; version=1.0.0; charset=utf-8' };

describe('an exposition', () => {
  it('has the requested format, including the metrics of the process', async () => {
    const rendered: string[] = [];
    const page = {
      body: async (...given: readonly unknown[]) => {
        rendered.push(given.join(' '));
        return { pieces: [], release: () => undefined };
      },
    };
    const text = await expositionReply(page, request({}), tail);
    const zipped = await expositionReply(page, request({ ...openMetrics, 'accept-encoding': 'gzip' }), tail);
    expect(rendered).toEqual(['text identity tail of text', 'openmetrics gzip tail of openmetrics']);
    expect(text.headers?.['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text.headers).not.toHaveProperty('content-encoding');
    expect(zipped.headers?.['content-encoding']).toBe('gzip');
    expect(zipped.headers?.['content-type']).toContain('application/openmetrics-text');
    expect(zipped.headers?.vary).toMatch(/accept-encoding/i);
  });
});

describe('/metrics', () => {
  it('requests no node, and returns the current page', async () => {
    const dependencies = await createRouteDependencies(configOf([clusterOf('prod', ['m1'])]));
    const route = metricsRoute(dependencies);
    const read = async (headers: Record<string, string> = {}): Promise<Buffer> => {
      const { body } = await route.handle(request(headers), {});
      return Array.isArray(body) ? Buffer.concat(body) : expect.fail('no pieces');
    };
    expect((await read()).toString()).toContain('graphwarden_collector_failures_total');
    expect(dependencies.fakeClusters.polled).toEqual([]);
    await dependencies.pipeline.switchPage(
      testbed().parts.createPage({ ...dependencies.config().limits, seriesPerPage: 1 }),
    );
    const after = (await read()).toString();
    expect(after).toContain('graphwarden_collector_failures_total');
    expect(gunzipSync(await read({ 'accept-encoding': 'gzip' })).toString()).toBe((await read()).toString());
  });
});
