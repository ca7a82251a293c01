import { AppError } from '@qd/core/errors'
import { DdnsProvider, ddns, server } from '@qd/core/resources'
import type { AgentConfigs } from '../../act/operations/questions.ts'
import { demandFor, ownsServer, reachesAll } from '../../store/records/rights.ts'
import type { Records, ServerRow } from '../../store/records/rows.ts'
import type { Settings } from '../../store/records/settings.ts'
import { dataText, envelope, ok } from '../http/answer.ts'
import { type HttpContext, readId } from '../http/request.ts'

/** `GET /server/config/{id}`: what the agent has now; nothing if it is not connected. It holds the agent's secret, so that reading needs the right to change. */
export function createConfigRoute(parts: {
  agentConfigs: AgentConfigs
  servers: Records<ServerRow>
  settings: Settings
}) {
  const { agentConfigs, servers, settings } = parts
  return async (context: HttpContext): Promise<Response> => {
    const { viewer } = context.get('caller')
    demandFor(settings, viewer, server, server.actions.config)
    const id = readId(context.req.param('id') ?? '')
    const row = servers.find(id)
    // Who does not reach all servers is not told which of the others there are (S-34).
    if (row ? !ownsServer(viewer, row) : !reachesAll(viewer)) throw new AppError('forbidden')
    const text = row ? await agentConfigs.read(id) : null
    return ok(envelope(text === null ? null : JSON.stringify(text)))
  }
}

/** `GET /ddns/providers`: the names that a profile may have as its provider. */
export function createProvidersRoute({ settings }: { settings: Settings }) {
  return async (context: HttpContext): Promise<Response> => {
    demandFor(settings, context.get('caller').viewer, ddns, { audience: 'user', scope: ddns.scopes.read })
    return ok(envelope(dataText(Object.values(DdnsProvider))))
  }
}
