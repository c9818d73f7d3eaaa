import type { Endpoint } from '../call.ts';
import { hexId } from '../chance.ts';
import { jsonText, restppResults } from '../replies.ts';
import type { Verdict } from '../world/checks.ts';

/** `GET /restpp/data_consistency_check`: results are an object; a check failed is not an error. */
export const dataConsistency: Endpoint = ({ world }) => {
  const verdicts = world.checks.verdicts.filter(({ check }) => check === 'data_consistency');
  const results = {
    GPESelfCheck: verdicts
      .filter(({ engine }) => engine === '')
      .map((verdict) => ({ Partition: Number(verdict.partition), ...outcome(verdict) })),
    GPEGSECheck: verdicts
      .filter(({ partition }) => partition === '')
      .map((verdict) => ({ GPE: verdict.engine, ...outcome(verdict) })),
  };
  return restppResults(results, message(verdicts));
};

/** `GET /restpp/deleted_vertex_check`: one verdict per engine, with hashes that no double can hold. */
export const deletedVertices: Endpoint = ({ world }) => {
  const verdicts = world.checks.verdicts.filter(({ check }) => check === 'deleted_vertex');
  const results = verdicts.map((verdict) => ({ GPE: verdict.engine, ...outcome(verdict) }));
  const reply = restppResults(results, message(verdicts));
  // JSON.stringify cannot write 64-bit integers: they travel as strings and lose their quotes here.
  return jsonText(reply.body.replaceAll(/"(G|I)(PE|DS)DelHash":"(\d+)"/g, '"$1$2DelHash":$3'));
};

function outcome({ engine, partition, unsynced }: Verdict): { PassCheck: boolean; UnSyncList: readonly unknown[] } {
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

function message(verdicts: readonly Verdict[]): string {
  return verdicts.every(({ unsynced }) => unsynced === 0) ? 'check passed' : 'check failed';
}
