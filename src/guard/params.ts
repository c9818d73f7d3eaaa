/**
 * The parameters in a url, decoded as forms are; each may be there more than once. Undefined where one of them cannot
 * be decoded: then there is no telling what the server took it for. These are users' data.
 */
export function paramsOf(url: string): ReadonlyMap<string, readonly string[]> | undefined {
  const params = new Map<string, string[]>();
  const query = queryOf(url);
  const isPlain = !/[%+]/.test(query);
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    const text = equals < 0 ? '' : pair.slice(equals + 1);
    const name = isPlain ? key : decoded(key);
    const value = isPlain ? text : decoded(text);
    if (name === undefined || value === undefined) return undefined;
    const values = params.get(name);
    if (values === undefined) params.set(name, [value]);
    else values.push(value);
  }
  return params;
}

function queryOf(url: string): string {
  const begin = url.indexOf('?');
  if (begin < 0) return '';
  const end = url.indexOf('#', begin);
  return end < 0 ? url.slice(begin + 1) : url.slice(begin + 1, end);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
