import type { Endpoint } from '../call.ts';
import { json, text } from '../replies.ts';

/** `GET /ts3/api/datapoints` (3.x): a bare array, on the first node only. All its data points are numbers. */
export const dataPoints: Endpoint = ({ world, node, query }) => {
  if (node.host.index !== 0) return { ...text('404 page not found', 'text/plain'), status: 404 };
  const what = query.get('what');
  const points = world.informant.views.flatMap(({ capacity }) =>
    capacity.flatMap(({ host, at, measurement }) =>
      measurement.services.flatMap(({ service, partition, replica, cpu, memoryMb }) => {
        const who = `${service}${partition === '' ? '' : `_${partition}`}#${replica === '' ? 1 : replica}`;
        const origin = { when: Math.floor(at / 1000), where: host.name, who };
        return [
          { detail: cpu, ...origin, what: 'cpu' },
          { detail: memoryMb, ...origin, what: 'mem' },
        ];
      }),
    ),
  );
  return json(points.filter((one) => what === null || one.what === what));
};
