/** Complete response of the simulated server, before faults. Header names are in lower case. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Member `version` of data-plane responses. */
const apiVersion = { edition: 'enterprise', api: 'v2', schema: 0 } as const;

/** Returns a JSON response without an envelope. */
export function json(body: unknown, status = 200): Reply {
  return jsonText(JSON.stringify(body), status);
}

/** Returns a response with a JSON text, for formats whose exact bytes are known. */
export function jsonText(body: string, status = 200): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body };
}

/** Returns a response with plain text, by default with the charset of the GSQL server. */
export function text(body: string, contentType = 'text/plain; charset=utf-8'): Reply {
  return { status: 200, headers: { 'content-type': contentType }, body };
}

/** Returns the error page of the proxy in front of the services. */
export function proxyError(status: number, reason: string): Reply {
  const title = `${status} ${reason}`;
  const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx (simulated)</center>\r\n</body>\r\n</html>\r\n`;
  return { status, headers: { 'content-type': 'text/html' }, body };
}

/** Returns a success in the envelope of the data plane; `more` has additional members. */
export function restppResults(results: unknown, message = '', more: Readonly<Record<string, unknown>> = {}): Reply {
  return json({ version: apiVersion, error: false, message, results, code: 'REST-0000', ...more });
}

/** Returns an error in the envelope of the data plane. */
export function restppError(status: number, code: string, message: string): Reply {
  return json({ version: apiVersion, error: true, message, code }, status);
}

/** Returns an error in the envelope of the GSQL server. */
export function gsqlError(status: number, message: string): Reply {
  return json({ error: true, message }, status);
}

/** Returns the error of the data plane for an unknown path. */
export function unknownEndpoint(path: string): Reply {
  return restppError(
    404,
    'REST-1000',
    `Endpoint is not found from url = ${path}, please use GET /endpoints to list all valid endpoints.`,
  );
}
