/** Ports of URLs that name none. */
const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Returns the address of a node: host, port and path of its URL. Two nodes with the same address are one node, whatever their
 * names are. The scheme does not matter, because one port has one scheme.
 */
export function nodeAddress(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  return `${hostname}:${port === '' ? defaultPorts[protocol] : port}${pathname.replace(/\/+$/, '')}`;
}
