import { Buffer } from 'node:buffer';
import { constants, deflateRawSync } from 'node:zlib';
import type { OutgoingReply } from '../../kernel/listener.ts';
import { type FaultContext, untilAborted } from './fault.ts';

const megabyte = 1024 * 1024;

/** Sends half of the body, then resets the connection. */
export function resetMidBody({ reply }: FaultContext): OutgoingReply {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield firstHalf(reply.body);
    throw new Error('the simulated server closes the connection');
  }
  return { ...reply, body: body() };
}

/** Hangs before the status line. */
export async function hangBeforeHeaders({ reply, disconnected }: FaultContext): Promise<OutgoingReply> {
  await untilAborted(disconnected);
  return reply;
}

/** Sends the headers, then hangs. */
export function hangBeforeBody({ reply, disconnected }: FaultContext): OutgoingReply {
  async function* body(): AsyncGenerator<Uint8Array> {
    await untilAborted(disconnected);
    yield new Uint8Array();
  }
  return { ...reply, body: body() };
}

/** Sends half of the body, then hangs. */
export function hangWithinBody({ reply, disconnected }: FaultContext): OutgoingReply {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield firstHalf(reply.body);
    await untilAborted(disconnected);
  }
  return { ...reply, body: body() };
}

/** Sends single bytes slowly, so that the response makes progress but takes minutes. */
export function slowDrip({ reply, clock, disconnected }: FaultContext): OutgoingReply {
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const byte of Buffer.from(reply.body)) {
      yield Uint8Array.of(byte);
      await clock.sleep(250, disconnected);
      if (disconnected.aborted) return;
    }
  }
  return { ...reply, body: body() };
}

/** Sends a hundred megabytes in chunks: the start of the response, then blanks. */
export function hugeBody({ reply }: FaultContext): OutgoingReply {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield firstHalf(reply.body);
    const blanks = new Uint8Array(megabyte).fill(0x20);
    for (let sent = 0; sent < 100; sent += 1) yield blanks;
  }
  return { ...reply, body: body() };
}

/** Sends one megabyte that decompresses to a gigabyte: a thousand copies of an independent deflate block. */
export function gzipBomb({ reply }: FaultContext): OutgoingReply {
  const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
  const block = deflateRawSync(new Uint8Array(megabyte).fill(0x20), { finishFlush: constants.Z_FULL_FLUSH });
  async function* body(): AsyncGenerator<Uint8Array> {
    yield header;
    for (let sent = 0; sent < 1024; sent += 1) yield block;
    yield Uint8Array.of(3, 0);
  }
  return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: body() };
}

function firstHalf(body: string): Uint8Array {
  const bytes = Buffer.from(body);
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}
