import { get } from 'node:http';
import { Agent, request } from 'undici';
import { z } from 'zod';

/**
 * Clients that send the requests of open status pages to graphwarden: the event stream, and every five seconds the lists of
 * the overview. The message `{pages}` opens or closes pages; the reply is the number of responses so far.
 */
const [origin = ''] = process.argv.slice(2);
const lists = ['alerts', 'clusters', 'collectors', 'services'].map((name) => `/api/v1/${name}?limit=1000&offset=0`);
const paths = [...lists, '/api/v1/guard'];
const refreshInterval = 5000;

const command = z.object({ pages: z.int().min(0) });
const closings: (() => void)[] = [];
let responses = 0;

process.on('message', (message) => {
  const { success, data } = command.safeParse(message);
  // Other messages are for the gap probe.
  if (!success) return;
  const { pages } = data;
  while (closings.length > pages) closings.pop()?.();
  while (closings.length < pages) closings.push(openPage(closings.length, pages));
  process.send?.({ responses });
});
// The gap probe would otherwise let the process end while no page is open.
process.channel?.ref();
process.send?.({ port: 0 });

/** Opens one page from its own address; returns the function that closes it. */
function openPage(page: number, pages: number): () => void {
  const localAddress = `127.0.1.${page + 1}`;
  const dispatcher = new Agent({ localAddress });
  const stream = get(`${origin}/api/v1/events`, { localAddress }, (response) => response.resume());
  stream.on('error', () => undefined);
  let timer = setTimeout(refresh, (refreshInterval * page) / pages);
  function refresh(): void {
    for (const path of paths) void countResponse(`${origin}${path}`, dispatcher);
    timer = setTimeout(refresh, refreshInterval);
  }
  return () => {
    clearTimeout(timer);
    stream.destroy();
    void dispatcher.destroy();
  };
}

async function countResponse(url: string, dispatcher: Agent): Promise<void> {
  const response = await request(url, { dispatcher }).catch(() => undefined);
  await response?.body.dump().catch(() => undefined);
  if (response?.statusCode === 200) responses += 1;
}
