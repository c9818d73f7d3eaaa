import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { DatabaseProxy } from '../../../campaigns/failover/database-proxy.ts';
import { eventually } from '../../support/child.ts';

const closing: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A proxy in front of a server that answers each packet with `answer`, and one connection through it. */
async function connected() {
  const received: string[] = [];
  const addresses: (string | undefined)[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    addresses.push(socket.remoteAddress);
    sockets.push(socket);
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        received.push(chunk.toString());
        socket.write('answer');
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const proxy = await DatabaseProxy.open(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.12');
  const client: Socket = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
  const answers: string[] = [];
  const endServer = (): Promise<unknown> => {
    for (const socket of sockets) socket.end();
    return Promise.all(sockets.map((socket) => once(socket, 'finish')));
  };
  client.on('data', (chunk) => void answers.push(chunk.toString()));
  closing.push(
    () => void server.close(),
    () => proxy.close(),
    () => void client.destroy(),
  );
  return { proxy, client, received, answers, addresses, endServer };
}

describe('DatabaseProxy', () => {
  it('forwards both directions, from the address of its replica', async () => {
    const { client, received, answers, addresses } = await connected();
    client.write('SELECT 1');
    await eventually('the answer arrives', async () => answers.length === 1);
    expect(answers).toEqual(['answer']);
    expect(received).toEqual(['SELECT 1']);
    expect(addresses).toEqual(['127.0.0.12']);
  });

  it('keeps bytes during a partition, and forwards them afterwards', async () => {
    const { proxy, client, received, answers } = await connected();
    client.write('first');
    await eventually('the answer arrives', async () => answers.length === 1);
    proxy.setMode('hold');
    client.write('second');
    const other = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
    closing.push(() => void other.destroy());
    await once(other, 'connect');
    expect(received).toEqual(['first']);
    proxy.setMode('forward');
    await eventually('the kept packet arrives', async () => received.length === 2);
    expect(received).toEqual(['first', 'second']);
  });

  it('loses the reply to a write together with the connection', async () => {
    const { proxy, client, received, answers } = await connected();
    proxy.repliesToLose = 1;
    client.write('SELECT 1');
    await eventually('the answer arrives', async () => answers.length === 1);
    client.write('COMMIT');
    await once(client, 'close');
    expect(received).toEqual(['SELECT 1', 'COMMIT']);
    expect(answers).toHaveLength(1);
    expect(proxy.repliesToLose).toBe(0);
  });

  it('stops at a statement before its reply arrives', async () => {
    const { proxy, client, answers } = await connected();
    const hits: string[] = [];
    proxy.trap('guard_aborts', 'reply', () => {
      proxy.setMode('hold');
      hits.push('reply');
    });
    client.write('INSERT INTO guard_aborts');
    await eventually('the reply comes', async () => hits.length === 1);
    expect(answers).toEqual([]);
    proxy.setMode('cut');
    await once(client, 'close');
  });

  it('stops at the commit of a transaction with a statement, and not at that of another one', async () => {
    const { proxy, client, received, answers } = await connected();
    const hits: string[] = [];
    proxy.trap('guard_aborts', 'commit request', () => {
      proxy.setMode('hold');
      hits.push('commit');
    });
    for (const [index, text] of ['INSERT INTO other', 'COMMIT', 'INSERT INTO guard_aborts'].entries()) {
      client.write(text);
      await eventually('the reply comes', async () => answers.length === index + 1);
    }
    expect(hits).toEqual([]);
    client.write('COMMIT');
    await eventually('the commit comes', async () => hits.length === 1);
    expect(received).toHaveLength(3);
    proxy.setMode('forward');
    await eventually('the commit is forwarded', async () => received.length === 4);
  });

  it('hides the end of a connection during a partition', async () => {
    const { proxy, client, answers, endServer } = await connected();
    client.write('SELECT 1');
    await eventually('the answer arrives', async () => answers.length === 1);
    proxy.setMode('hold');
    let isClosed = false;
    client.on('close', () => {
      isClosed = true;
    });
    await endServer();
    expect(isClosed).toBe(false);
    proxy.setMode('forward');
    await eventually('the end arrives', async () => isClosed);
  });
});
