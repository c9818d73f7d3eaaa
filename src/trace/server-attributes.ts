import type { SpanAttributes } from '../model/span.ts';

/** Which server a url leads to, by the conventions: the same attributes for what it did and for what it was asked. */
export function serverAttributes(url: URL): SpanAttributes {
  const { hostname, port, protocol } = url;
  return {
    'server.address': withoutBrackets(hostname),
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}

/** Addresses of the sixth version are bracketed in urls alone. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
