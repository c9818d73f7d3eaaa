import { Buffer } from 'node:buffer';
import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deflateSegment, gzipMember, joinSegments, storeSegment } from '../../src/expose/gzip.ts';
import { anyCharacter } from '../support/any-character.ts';
import { findTool } from '../support/tools.ts';

async function zipped(parts: readonly string[], tail: string): Promise<Buffer> {
  const segments = await Promise.all(
    parts.map(async (part, at) => (at % 2 === 0 ? deflateSegment(Buffer.from(part)) : storeSegment(Buffer.from(part)))),
  );
  return Buffer.concat(await gzipMember(joinSegments(segments), Buffer.from(tail)));
}

describe('a gzip member of segments', () => {
  it('unpacks to its parts in a row and its tail', async () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 500 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 5 }), text, async (parts, tail) => {
        const whole = Buffer.concat([...parts.map((part) => Buffer.from(part)), Buffer.from(tail)]);
        expect(gunzipSync(await zipped(parts, tail)).equals(whole)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('is one member without bytes after its trailer', async () => {
    const bytes = await zipped(['a'.repeat(10_000), 'header\n', 'b'.repeat(10_000)], 'tail\n');
    expect(bytes.subarray(-4).readUInt32LE()).toBe(20_012);
    expect(bytes.length).toBeLessThan(200);
    bytes[bytes.length - 5] = (bytes.at(-5) ?? 0) ^ 1;
    expect(() => gunzipSync(bytes)).toThrow('incorrect data check');
  });

  it('may have no stable part', async () => {
    expect(gunzipSync(await zipped([], 'tail\n')).toString()).toBe('tail\n');
  });

  it('stores at most 65,535 bytes in a block', async () => {
    const most = 'x'.repeat(65_535);
    expect(gunzipSync(await zipped(['', most], '')).toString()).toBe(most);
    expect(() => storeSegment(Buffer.alloc(65_536))).toThrow(RangeError);
  });

  it('compresses repeated bytes', async () => {
    const segment = await deflateSegment(Buffer.from('svc_cpu_usage{host_id="m1"} 1\n'.repeat(3000)));
    expect(segment.deflated.length).toBeLessThan(segment.length / 50);
    expect(segment.length).toBe(90_000);
  });
});

describe('other programs', () => {
  const parts = ['a{x="1"} 1\n'.repeat(2000), '# TYPE b gauge\n', 'b{x="1"} 1\n'.repeat(2000)];
  const expected = `${parts.join('')}tail 1\n`;
  const [gunzip, curl] = [findTool('gunzip'), findTool('curl')];

  it.skipIf(gunzip === undefined)('gunzip reads it', async () => {
    const input = await zipped(parts, 'tail 1\n');
    expect(execFileSync(gunzip ?? '', ['-c'], { input }).toString()).toBe(expected);
  });

  it.skipIf(curl === undefined)('curl reads it completely', async () => {
    const body = await zipped(parts, 'tail 1\n');
    const server = createServer((_, response) => response.setHeader('content-encoding', 'gzip').end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = portOf(server.address());
    const { stdout } = await promisify(execFile)(curl ?? '', ['-s', '--compressed', `http://127.0.0.1:${port}/`]);
    expect(stdout).toBe(expected);
    await new Promise((resolve) => server.close(resolve));
  });
});

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
