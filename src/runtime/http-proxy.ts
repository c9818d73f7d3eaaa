import { isIP } from 'node:net';
import { type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool, ProxyAgent } from 'undici';
import type { HttpProxy, TlsMaterial } from '../kernel/http.ts';
import {
  type Connector,
  connectorOptions,
  connectTimeout,
  countConnections,
  createConnector,
} from './http-connector.ts';
import { transportOptions } from './http-transport.ts';

/** Requests to these hosts use no proxy of the environment, as in Go programs such as Prometheus. */
const loopback = 'localhost,127.0.0.1,::1';

/** Options of a dispatcher that may use a proxy. */
export interface ProxyDispatcherOptions {
  readonly origin: string;
  readonly proxy: HttpProxy;
  readonly tls: TlsMaterial;
  readonly connections: number;
}

/** A dispatcher for the requests to one origin, and its connections. */
export interface ProxyDispatcher {
  readonly dispatcher: Dispatcher;
  readonly connector: Connector;
}

/**
 * Creates a dispatcher over a forward proxy: the given one, or that of the environment (`HTTPS_PROXY` for an https address,
 * `HTTP_PROXY` for an http address; hosts in `NO_PROXY` are reached directly). An https address is reached through a
 * tunnel (CONNECT), so that the proxy sees neither headers nor body.
 */
export function createProxyDispatcher({ origin, proxy, tls, connections }: ProxyDispatcherOptions): ProxyDispatcher {
  const direct = createConnector(tls);
  // For a request through the proxy, the agent passes its own connector, which replaces this one.
  let dial = direct.connect;
  const connector = countConnections((options, done) => dial(options, done), tls);
  const factory = (target: string | URL, options: object): Pool => {
    dial = connectorOf(options) ?? direct.connect;
    return new Pool(target, { ...transportOptions, connections, connect: connector.connect });
  };
  const options = {
    factory,
    clientFactory: (address: URL, given: object): Pool => {
      const connect = connectorOf(given);
      return new Pool(address, connect === undefined ? {} : { connect });
    },
    connectTimeout,
    proxyTls: connectorOptions(tls),
    requestTls: { ...connectorOptions(tls), ...(tls.serverName !== undefined && { servername: tls.serverName }) },
  };
  return { dispatcher: createAgent({ origin, proxy }, options) ?? failingPool(origin), connector };
}

/** Returns a pool in which each request fails, because the address of the proxy is invalid. */
function failingPool(origin: string): Pool {
  return new Pool(origin, { connect: (_, done) => done(new InvalidProxyAddress(), null) });
}

type Target = Pick<ProxyDispatcherOptions, 'origin' | 'proxy'>;

function createAgent(target: Target, options: Omit<ProxyAgent.Options, 'uri'>): Dispatcher | undefined {
  try {
    return openAgent(target, options);
  } catch {
    return undefined;
  }
}

function openAgent({ origin, proxy }: Target, options: Omit<ProxyAgent.Options, 'uri'>): Dispatcher {
  if (proxy === 'environment') {
    const address = proxyAddress(variable(origin.startsWith('https:') ? 'https_proxy' : 'http_proxy'));
    // Without an address for https, the agent would use the one for http.
    const proxies = { httpProxy: address, httpsProxy: address };
    return new EnvHttpProxyAgent({ ...options, ...proxies, noProxy: `${variable('no_proxy')},${loopback}` });
  }
  const { url: uri, authorization: token } = proxy;
  return new ProxyAgent({ ...options, uri: proxyAddress(uri), ...(token !== undefined && { token }) });
}

/** Value of an environment variable; the name in lower case comes first, as in curl. */
function variable(name: string): string {
  return (process.env[name] ?? process.env[name.toUpperCase()] ?? '').trim();
}

/** An address that is not that of an HTTP proxy. */
class InvalidProxyAddress extends Error {
  readonly code = 'PROXY_ADDRESS';
}

/** Returns the address of a proxy; without a scheme it is that of an HTTP proxy. The error does not contain it. */
function proxyAddress(text: string): string {
  if (text === '') return '';
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return address;
  throw new InvalidProxyAddress();
}

/** Returns the connector in the options of an agent, without a TLS server name that is an IP address. */
function connectorOf(options: object): buildConnector.connector | undefined {
  if (!('connect' in options && isConnector(options.connect))) return undefined;
  const { connect } = options;
  return ({ servername, ...to }, done) => {
    // Without a name it is null, which the type does not state.
    const isName = isIP((servername ?? '').replace(/^\[|\]$/g, '')) === 0;
    connect({ ...to, ...(isName && { servername }) }, done);
  };
}

function isConnector(value: unknown): value is buildConnector.connector {
  return typeof value === 'function';
}
