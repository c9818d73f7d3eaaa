import type { Endpoint } from '../call.ts';
import { json } from '../replies.ts';

/**
 * `GET /gsql/v1/data-sources`: a source of all graphs, and one of each graph. While the input of loading jobs is bad, the
 * sources of the graphs have another broker. The server returns the keys of object stores empty.
 */
export const dataSources: Endpoint = ({ world }) => {
  const broker = world.isLoadBad ? 'kafka-2.example:9092' : 'kafka-1.example:9092';
  const archive = { 'access.key': '', 'secret.key': '', type: 's3' };
  const stream = { broker, kafka_config: { 'security.protocol': 'SSL' }, type: 'kafka' };
  const results = [
    { name: 'archive', type: 'S3', content: archive, isLocal: false },
    ...world.graphs.map((graph) => ({
      name: 'transfers',
      belongTo: graph,
      type: 'KAFKA',
      content: stream,
      isLocal: true,
    })),
  ];
  return json({ error: false, message: '', results });
};
