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
  const server = createServer((socket) => {
    addresses.push(socket.remoteAddress);
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
  client.on('data', (chunk) => void answers.push(chunk.toString()));
  closing.push(
    () => void server.close(),
    () => proxy.close(),
    () => void client.destroy(),
  );
  return { proxy, client, received, answers, addresses };
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

  it('keeps what it receives during a partition, and forwards it afterwards', async () => {
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
});
