import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { z } from 'zod';
import { list } from './api.ts';
import { gateway } from './places.ts';

const domain = 'svc.cluster.local';
const [typeA, typeSrv] = [1, 33];
const slice = z.object({
  metadata: z.object({ namespace: z.string(), labels: z.record(z.string(), z.string()) }),
  endpoints: z
    .array(
      z.object({
        addresses: z.array(z.string()),
        hostname: z.string().optional(),
        conditions: z.object({ ready: z.boolean().optional() }).default({}),
      }),
    )
    .nullish(),
  ports: z.array(z.object({ name: z.string().optional(), port: z.number() })).nullish(),
});

/** Answers of a name: data of resource records, by type. */
type Zone = ReadonlyMap<string, readonly { readonly type: number; readonly data: Buffer }[]>;

/**
 * Serves the names of Services, as the DNS of a cluster does. A Service with a cluster IP resolves to the addresses of its
 * pods, so that no component has to forward connections.
 */
export async function serveDns(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    // A query gets no answer while the API server is unavailable or after the socket is closed.
    zone()
      .then((known) => socket.send(answer(query, known), port, address))
      .catch(() => undefined);
  });
  socket.bind(53, gateway);
  await once(socket, 'listening');
  return socket;
}

async function zone(): Promise<Zone> {
  const found = new Map<string, { type: number; data: Buffer }[]>();
  const add = (name: string, type: number, data: Buffer): void => {
    found.set(name, [...(found.get(name) ?? []), { type, data }]);
  };
  for (const one of await list('/apis/discovery.k8s.io/v1/endpointslices')) {
    const { metadata, endpoints, ports } = slice.parse(one);
    const base = `${metadata.labels['kubernetes.io/service-name']}.${metadata.namespace}.${domain}`;
    for (const { addresses, hostname, conditions } of endpoints ?? []) {
      const [first] = addresses;
      if (conditions.ready !== true || first === undefined) continue;
      const name = `${hostname ?? first.replaceAll('.', '-')}.${base}`;
      const data = Buffer.from(first.split('.').map(Number));
      add(base, typeA, data);
      add(name, typeA, data);
      for (const { name: portName, port } of ports ?? [])
        add(
          `_${portName ?? ''}._tcp.${base}`,
          typeSrv,
          Buffer.concat([Buffer.from([0, 0, 0, 100, port >> 8, port & 255]), encode(name)]),
        );
    }
  }
  return found;
}

function answer(query: Buffer, known: Zone): Buffer {
  const labels: string[] = [];
  let at = 12;
  while ((query[at] ?? 0) > 0) {
    const length = query[at] ?? 0;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const records = known.get(labels.join('.').toLowerCase());
  const wanted = (records ?? []).filter(({ type }) => type === query.readUInt16BE(at + 1));
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8580 | (records === undefined ? 3 : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(wanted.length, 6);
  return Buffer.concat([head, query.subarray(12, at + 5), ...wanted.map(record)]);
}

function record({ type, data }: { readonly type: number; readonly data: Buffer }): Buffer {
  // The name of the question, its class, and a TTL of five seconds.
  return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 5, data.length >> 8, data.length & 255]), data]);
}

function encode(name: string): Buffer {
  return Buffer.concat([
    ...name.split('.').map((part) => Buffer.from([part.length, ...Buffer.from(part)])),
    Buffer.from([0]),
  ]);
}
