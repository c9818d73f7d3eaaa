import { type Failure, type FailureReason, failure } from '../kernel/failure.ts';

/** The failure of a call whose signal aborted. */
export function timeoutFailure(): Failure {
  return failure('timeout', 'no complete response within the deadline');
}

/** What became of a connection, and whether a kept one may merely have been closed meanwhile. */
export interface ConnectionFailure {
  readonly failure: Failure;
  readonly stale: boolean;
}

const failureByCode: Readonly<Record<string, readonly [FailureReason, string]>> = {
  ECONNREFUSED: ['unreachable', 'the connection was refused'],
  ECONNRESET: ['unreachable', 'the connection was reset'],
  EPIPE: ['unreachable', 'the connection was reset'],
  UND_ERR_SOCKET: ['unreachable', 'the connection was closed before the response was complete'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['body', 'the response length differs from Content-Length'],
  ENOTFOUND: ['unreachable', 'the host name is unknown'],
  EAI_AGAIN: ['unreachable', 'the host name cannot be looked up'],
  ELSEWHERE: ['unreachable', 'the connection leads to another address'],
  CLOSED_MEANWHILE: ['unreachable', 'the connection was closed before use'],
  EHOSTUNREACH: ['unreachable', 'there is no route to the host'],
  ENETUNREACH: ['unreachable', 'there is no route to the network'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'the connection was not established in time'],
  ETIMEDOUT: ['timeout', 'the connection was not established in time'],
  UND_ERR_HEADERS_OVERFLOW: ['too_large', 'the headers are too large'],
  HPE_HEADER_OVERFLOW: ['too_large', 'the headers are too large'],
  CERT_HAS_EXPIRED: ['tls', 'the certificate has expired'],
  CERT_NOT_YET_VALID: ['tls', 'the certificate is not valid yet'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls', 'the certificate is for another name'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls', 'the certificate is self-signed'],
  SELF_SIGNED_CERT_IN_CHAIN: ['tls', 'the certificate was issued by an unknown authority'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['tls', 'the certificate was issued by an unknown authority'],
  UNABLE_TO_GET_ISSUER_CERT: ['tls', 'the certificate was issued by an unknown authority'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['tls', 'the certificate was issued by an unknown authority'],
};

const staleCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Gives an error of a socket its reason. Its own text is not handed on: it may hold addresses of users' url. */
export function connectionFailure(error: unknown): ConnectionFailure {
  const code = socketErrorCode(error);
  const [reason, message] = failureByCode[code] ?? failureForCode(code);
  return { failure: failure(reason, message), stale: staleCodes.has(code) };
}

function failureForCode(code: string): readonly [FailureReason, string] {
  const shown = code === '' ? '' : ` (${code})`;
  if (/^(ERR_SSL|ERR_TLS|ERR_OSSL|EPROTO|CERT_|CRL_|UNABLE_TO_|HOSTNAME_|INVALID_)/.test(code)) {
    return ['tls', `the TLS handshake failed${shown}`];
  }
  if (code.startsWith('HPE_'))
    return ['unreachable', 'the response is not HTTP; another service or TLS may listen on the port'];
  return ['unreachable', `the connection failed${shown}`];
}

function socketErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // Its code is missing where the very first bytes are no HTTP.
  if (error.name === 'HTTPParserError' && !('code' in error && error.code !== undefined)) return 'HPE_INVALID_CONSTANT';
  // All addresses of a name failed: the first one stands for them.
  if (error instanceof AggregateError && !('code' in error)) return socketErrorCode(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
