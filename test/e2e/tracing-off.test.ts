import { expect, it, onTestFinished } from 'vitest';
import { program } from '../support/build-program.ts';
import { eventually, startChild } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/http.ts';
import { configFile } from '../support/live-ports.ts';
import { otlpReceiver } from '../support/otlp.ts';
import { roomForNewObjects } from '../support/program.ts';

/** Says on standard error which files of packages a loaded chunk of the bundle contains, as the bundler marks them. */
const spy = `
import { registerHooks } from 'node:module';
import { writeSync } from 'node:fs';
registerHooks({ load(url, context, next) {
  const loaded = next(url, context);
  for (const [, path] of String(loaded.source).matchAll(/^\\/\\/#region (node_modules\\/.*)$/gm)) writeSync(2, 'loads ' + path + '\\n');
  return loaded;
} });
`;

/** The packages of the tracing library that a daemon has loaded when it serves. */
async function loadedBy(environment: Readonly<Record<string, string>>, tracing = {}): Promise<readonly string[]> {
  const nodes = [{ name: 'm1', url: `http://127.0.0.1:${await freePort()}` }];
  const file = await configFile({
    listen: '127.0.0.1:0',
    clusters: [{ name: 'prod', nodes }],
    telemetry: { traces: tracing },
  });
  const hook = `data:text/javascript,${encodeURIComponent(spy)}`;
  const args = [...roomForNewObjects, '--import', hook, program, 'run', '--config', file];
  const child = startChild(process.execPath, args, { env: { PATH: process.env.PATH, ...environment } });
  onTestFinished(async () => void (await child.stop()));
  const isReady = async () => {
    const [, url] = /"url":"(http:[^"]+)","msg":"listening"/.exec(child.stderr()) ?? [];
    return url !== undefined && (await send(`${url}/-/ready`)).status === 200;
  };
  await eventually('it serves', isReady);
  expect(child.stderr()).toContain('/prom-client/');
  const found = child.stderr().matchAll(/^loads node_modules\/(@opentelemetry\/[\w-]+)\//gm);
  return [...new Set([...found].map(([, name = '']) => name))].toSorted();
}

it('without tracing, no module of OpenTelemetry is loaded except those of prom-client', async () => {
  expect(await loadedBy({})).toEqual(['@opentelemetry/api']);
  const disabled = { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  expect(await loadedBy(disabled)).toEqual(['@opentelemetry/api']);
});

it('with an endpoint, the modules of OpenTelemetry are loaded', async () => {
  const receiver = await otlpReceiver();
  onTestFinished(() => receiver.close());
  expect(await loadedBy({}, { endpoint: receiver.url })).toContain('@opentelemetry/sdk-trace');
  expect(await loadedBy({ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })).toContain(
    '@opentelemetry/sdk-metrics',
  );
});
