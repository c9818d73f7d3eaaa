import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { IncomingRequest, TrustedProxies } from '../kernel/listener.ts';

/** Returns the user that a trusted proxy authenticated; undefined for every other client, with any headers. */
export function forwardedUser(request: IncomingRequest, proxies: TrustedProxies): string | undefined {
  const user = request.headers[proxies.userHeader.toLowerCase()];
  if (user === undefined || user === '') return undefined;
  return isIn(proxies.addresses, request.remoteAddress) ? user : undefined;
}

/** `addresses` are IP addresses and networks such as `10.0.0.0/24`. */
function isIn(addresses: readonly string[], peer: string): boolean {
  const address = peer.replace(/^::ffff:(?=\d+\.)/, '');
  if (!isIPv4(address) && !isIPv6(address)) return false;
  const list = new BlockList();
  for (const entry of addresses) {
    const [network = '', bits] = entry.split('/');
    const family = isIPv4(network) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
