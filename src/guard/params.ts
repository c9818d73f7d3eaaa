/**
 * The parameters in a url, decoded as forms are; each may be there more than once. Undefined where one of them cannot
 * be decoded: then there is no telling what the server took it for. These are users' data.
 */
export function paramsOf(url: string): ReadonlyMap<string, readonly string[]> | undefined {
  const params = new Map<string, string[]>();
  const query = /\?([^#]*)/.exec(url)?.[1] ?? '';
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const value = decoded(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    const values = params.get(name);
    if (values === undefined) params.set(name, [value]);
    else values.push(value);
  }
  return params;
}

function decoded(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
