import { EventEmitter } from 'node:events';
import type { LookupFunction, Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { PinnedAddress, peerOf } from '../../src/runtime/pinned-address.ts';

/** A name that has these addresses, in this order. */
function having(...addresses: readonly string[]): LookupFunction & { readonly lookups: string[] } {
  const lookups: string[] = [];
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return Object.assign<LookupFunction, { lookups: string[] }>(
    (name, _options, done) => {
      lookups.push(name);
      done(null, found);
    },
    { lookups },
  );
}

const missing: LookupFunction = (_name, _options, done) =>
  done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);

/** A connection as far as anybody looks at it here. */
function socketTo(remoteAddress: string, remotePort = 14_240): Socket {
  return Object.assign(new EventEmitter(), { remoteAddress, remotePort }) as Socket;
}

/** Resolves a name as a connection would. */
function resolved(address: PinnedAddress, all = true): unknown {
  let found: unknown;
  address.lookup('graph', { all }, (error, ...rest) => {
    found = error === null ? (all ? [rest[0]].flat().map((one) => Object(one).address) : rest) : error.code;
  });
  return found;
}

describe('a peer', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1:14240'],
    ['fd00::1', '[fd00::1]:14240'],
  ])('%s is named %s', (remoteAddress, name) => {
    expect(peerOf({ remoteAddress, remotePort: 14_240 })).toBe(name);
  });

  it('that is closed has no name', () => {
    expect(peerOf({ remoteAddress: undefined, remotePort: undefined })).toBe(':0');
  });
});

describe('one address', () => {
  it('is any address of the name, while no connection is open', () => {
    expect(resolved(new PinnedAddress(having('10.0.0.1', 'fd00::1')))).toEqual(['10.0.0.1', 'fd00::1']);
  });

  it('is that of the open connections, without a lookup', () => {
    const lookup = having('10.0.0.1', '10.0.0.2');
    const address = new PinnedAddress(lookup);
    const [one, two] = [socketTo('10.0.0.2'), socketTo('10.0.0.2')];
    address.retain(one);
    address.retain(two);
    one.emit('close');
    expect([resolved(address), resolved(address, false), lookup.lookups]).toEqual([['10.0.0.2'], ['10.0.0.2', 4], []]);
    expect([address.matches('10.0.0.2:14240'), address.matches('10.0.0.1:14240')]).toEqual([true, false]);
    two.emit('close');
    expect([resolved(address), address.matches('10.0.0.1:14240')]).toEqual([['10.0.0.1', '10.0.0.2'], true]);
  });

  it('is undefined if the name has no address', () => {
    expect(resolved(new PinnedAddress(missing))).toBe('ENOTFOUND');
  });

  it('is dialled by one connection after the other', async () => {
    const address = new PinnedAddress(having());
    const dials: string[] = [];
    const overs: (() => void)[] = [];
    for (const name of ['first', 'second', 'third']) {
      address.enqueue((over) => {
        dials.push(name);
        overs.push(over);
      });
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(dials).toEqual(['first']);
    overs[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(dials).toEqual(['first', 'second']);
  });
});
