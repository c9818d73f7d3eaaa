import type { LookupFunction } from 'node:net';

/** A name whose addresses come in another order each time, as those of several machines do. */
export function rotatingAddresses(...addresses: readonly string[]): LookupFunction {
  let turn = 0;
  return (_name, { all }, done) => {
    const order = addresses.map((_, at) => addresses[(at + turn) % addresses.length] ?? '');
    turn += 1;
    if (all === true)
      done(
        null,
        order.map((address) => ({ address, family: 4 })),
      );
    else done(null, order[0] ?? '', 4);
  };
}
