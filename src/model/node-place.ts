/** Ports of URLs that name none. */
const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Returns where a node is: host, port and path of its URL. Two nodes with the same place are one node, whatever their
 * names are. The scheme does not matter, because one port has one scheme.
 */
export function nodePlace(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  return `${hostname}:${port === '' ? defaultPorts[protocol] : port}${pathname.replace(/\/+$/, '')}`;
}
