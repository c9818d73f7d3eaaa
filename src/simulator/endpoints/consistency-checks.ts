import type { Endpoint } from '../call.ts';
import { jsonText, restppResults } from '../replies.ts';
import { hexId } from '../seeded-random.ts';
import type { CheckResult } from '../world/consistency-results.ts';

/** `GET /restpp/data_consistency_check`: results are an object; a check failed is not an error. */
export const dataConsistency: Endpoint = ({ world }) => {
  const verdicts = world.consistencyResults.results.filter(({ check }) => check === 'data_consistency');
  const results = {
    GPESelfCheck: verdicts
      .filter(({ engine }) => engine === '')
      .map((verdict) => ({ Partition: Number(verdict.partition), ...checkOutcome(verdict) })),
    GPEGSECheck: verdicts
      .filter(({ partition }) => partition === '')
      .map((verdict) => ({ GPE: verdict.engine, ...checkOutcome(verdict) })),
  };
  return restppResults(results, checkMessage(verdicts));
};

/** `GET /restpp/deleted_vertex_check`: one verdict per engine, with hashes that no double can hold. */
export const deletedVertices: Endpoint = ({ world }) => {
  const verdicts = world.consistencyResults.results.filter(({ check }) => check === 'deleted_vertex');
  const results = verdicts.map((verdict) => ({ GPE: verdict.engine, ...checkOutcome(verdict) }));
  const reply = restppResults(results, checkMessage(verdicts));
  // JSON.stringify cannot write 64-bit integers: they travel as strings and lose their quotes here.
  return jsonText(reply.body.replaceAll(/"(G|I)(PE|DS)DelHash":"(\d+)"/g, '"$1$2DelHash":$3'));
};

function checkOutcome({ engine, partition, unsynced }: CheckResult): {
  PassCheck: boolean;
  UnSyncList: readonly unknown[];
} {
  const list = Array.from({ length: unsynced }, (_, index) => ({
    Segid: index,
    IsRemote: false,
    VertexType: 'Account',
    GPEDelHash: hash('gpe', engine, partition, index),
    IDSDelHash: hash('ids', engine, partition, index),
  }));
  return { PassCheck: unsynced === 0, UnSyncList: list };
}

function hash(...keys: readonly (string | number)[]): string {
  return (7_000_000_000_000_000_000n + BigInt(`0x${hexId(...keys).slice(0, 14)}`)).toString();
}

function checkMessage(verdicts: readonly CheckResult[]): string {
  return verdicts.every(({ unsynced }) => unsynced === 0) ? 'check passed' : 'check failed';
}
