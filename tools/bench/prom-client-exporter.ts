import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Gauge, Registry } from 'prom-client';

/** Exporter that only uses prom-client: gauges that a timer sets, rendered at each scrape. */
const [series = '1000', everyMs = '2000'] = process.argv.slice(2);
const registry = new Registry();
const gauge = new Gauge({
  name: 'svc_endpoint_latency',
  help: 'A family of the benchmark.',
  labelNames: ['endpoint', 'host_id', 'service_name', 'statistic'],
  registers: [registry],
});
const labels = Array.from({ length: Number(series) }, (_, at) => ({
  endpoint: `GET /query/graph_${at % 7}/query_number_${at}`,
  host_id: `m${(at % 3) + 1}`,
  service_name: 'RESTPP',
  statistic: 'average_latency',
}));
let cycle = 0;

function poll(): void {
  cycle += 1;
  for (const [at, one] of labels.entries()) gauge.set(one, ((at * 7919) % 9973) + cycle * 0.5);
}

poll();
setInterval(poll, Number(everyMs));

const server = createServer((request, response) => {
  void answer(request, response);
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await registry.metrics();
  const packed = request.headers['accept-encoding']?.includes('gzip') === true;
  response.setHeader('content-type', registry.contentType);
  if (packed) response.setHeader('content-encoding', 'gzip');
  response.end(packed ? gzipSync(text, { level: 6 }) : text);
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});
