import { reloadSchema } from '../../api/fields.ts';
import type { OutgoingReply } from '../../kernel/listener.ts';
import { asOperator, operatorErrors } from './operator.ts';
import { jsonReply, problemReply, textReply } from './reply.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import type { Route } from './routes.ts';

/** Returns the routes about the process itself. None of them states whether the database is up. */
export function lifecycleRoutes(dependencies: RouteDependencies): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/-/healthy',
      isPublic: true,
      about: 'Returns 200 while the process serves requests and its scheduler runs.',
      response: { type: 'text/plain' },
      errorResponses: { 503: 'Polls are overdue; restart the process.' },
      handle: async () =>
        dependencies.isStalled()
          ? problemReply(503, 'Polls are overdue: the process does not make progress.')
          : textReply('healthy'),
    },
    {
      method: 'GET',
      path: '/-/ready',
      isPublic: true,
      about: 'Returns 200 once the first round of polls has finished, successfully or not.',
      response: { type: 'text/plain' },
      errorResponses: {
        503: 'The first round of polls has not finished, the process is stopping, or a configuration file is rejected.',
      },
      handle: async () => {
        if (!dependencies.isReady()) return problemReply(503, 'The first round of polls has not finished.');
        const { unreadyOnRejectedConfig, rejection } = dependencies.config();
        return unreadyOnRejectedConfig && rejection !== undefined
          ? problemReply(503, 'A configuration file is rejected.')
          : textReply('ready');
      },
    },
    {
      method: 'POST',
      path: '/-/reload',
      about: 'Reloads the configuration file; keeps the previous configuration if the file is rejected.',
      response: { type: 'application/json', schema: reloadSchema },
      errorResponses: { ...operatorErrors, 422: 'The file is rejected; `problems` lists why.' },
      handle: (request) => asOperator(request, dependencies.config(), () => reload(dependencies)),
    },
  ];
}

async function reload(dependencies: RouteDependencies): Promise<OutgoingReply> {
  const outcome = await dependencies.ports.reload();
  if (!outcome.ok) return problemReply(422, 'The configuration is unchanged.', { problems: outcome.error });
  return jsonReply({ reloaded: true, ...(outcome.value.length > 0 && { restartRequired: outcome.value }) });
}
