import type { Collector } from '../../collect/collector.ts';
import type { FailureReason } from '../../kernel/failure.ts';

type FailedCollector = Pick<Collector, 'name' | 'privilege' | 'isCustom' | 'probe'>;

/** Returns what to check or change when a collector fails, which needs its privilege on the server (`''`: none). */
export function adviceOn(reason: FailureReason, { name, privilege, isCustom, probe }: FailedCollector): string {
  if (probe !== undefined) return probe.adviceOn(reason);
  const advice: Readonly<Record<FailureReason, string>> = {
    unreachable:
      'Check that the node runs, that the url of the node is correct (http or https, host, port), and that no firewall or proxy blocks it.',
    timeout: `The node responds too slowly: check its load, or raise collectors.${name}.timeout.`,
    tls: "Check that the node serves https, the tls settings of the cluster (ca_file, server_name) and the expiry of the server's certificate.",
    auth:
      privilege === ''
        ? 'The server denies access: set read_auth of the cluster, or check its token, password or secret, and the expiry.'
        : `The collector needs the privilege ${privilege}: grant it to the user of read_auth, or renew the credential.`,
    status:
      'The server responds with an error: see the log of the node. For status 400, check whether the url of the node must begin with https.',
    body: 'Check that the url of the node is that of the database, not of a proxy or a login page.',
    too_large:
      'The response exceeds the limit that the message names: check that the url of the node is that of the database.',
    unsupported: `This server has no such endpoint: check the url of the node, proxies in front of it, and server_version, or set collectors.${name}.enabled to false.`,
    ...(isCustom === true ? customAdvice(name.replace(/^custom_/, '')) : {}),
  };
  return advice[reason];
}

/** A custom query has no key in `collectors`, and its failures are mostly about its definition. */
function customAdvice(query: string): Partial<Record<FailureReason, string>> {
  return {
    timeout: `The server responds too slowly: check its load, or raise timeout of the custom query ${query}.`,
    status: `Compare the parameters of the custom query ${query} with those that the query declares; the log of the node states the error.`,
    body: `Correct the definition of the custom query ${query}: the message states what does not match.`,
    too_large: `The response exceeds the limit that the message names: reduce the output of the custom query ${query}.`,
    unsupported: `Install the query, or correct graph or query of the custom query ${query}.`,
  };
}
