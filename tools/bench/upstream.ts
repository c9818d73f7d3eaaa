import { createServer } from 'node:http';
import { type Mix, upstreamPage } from './upstream-page.ts';

/**
 * Upstream of the benchmark in a separate process. It serves prepared bytes at negligible cost. `GET /answers` returns the
 * number of responses by user agent.
 */
const [series = '1000', mix = 'passthrough'] = process.argv.slice(2);
const page = upstreamPage(Number(series), readMix(mix));
const answers: Record<string, number> = {};
let count = 0;

const server = createServer((request, response) => {
  if (request.url === '/answers') {
    response.end(JSON.stringify(answers));
  } else if (request.url?.startsWith('/informant/metrics') === true) {
    const client = (request.headers['user-agent'] ?? 'unknown').split('/')[0] ?? '';
    answers[client] = (answers[client] ?? 0) + 1;
    count += 1;
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    for (const chunk of page.answer(count, Date.now() / 1000)) response.write(chunk);
    response.end();
  } else {
    response.statusCode = 404;
    response.end();
  }
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});

function readMix(text: string): Mix {
  if (text === 'passthrough' || text === 'normalised') return text;
  throw new Error(`not a mix: ${text}`);
}
