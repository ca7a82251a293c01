import { actionOf } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { DdnsProvider, ddns, server } from '@qd/core/resources'
import * as z from 'zod'
import type { AgentConfigs } from '../../act/operations/questions.ts'
import { demandFor, ownsServer, seesAllServers } from '../../store/records/rights.ts'
import type { Records, ServerRow } from '../../store/records/rows.ts'
import type { Settings } from '../../store/records/settings.ts'
import { dataText, envelope, ok } from '../http/answer.ts'
import { readId } from '../http/request.ts'
import type { Routes } from './openapi.ts'

export function createLookups({
  agentConfigs,
  servers,
  settings,
}: {
  agentConfigs: AgentConfigs
  servers: Records<ServerRow>
  settings: Settings
}): Routes {
  const config = actionOf(server, 'config')
  return {
    '/server/config/:id': {
      about: {
        id: 'server.config.get',
        tag: 'server',
        summary: 'The configuration of an agent, as JSON text',
        scope: config.scope,
        data: z.string(),
      },
      // Contains the agent's secret, so reading it needs the right to change. Empty if the agent is offline.
      async answer(context) {
        const { viewer } = context.get('caller')
        demandFor(settings, viewer, server, config)
        const id = readId(context.req.param('id') ?? '')
        const row = servers.find(id)
        // A viewer who doesn't see all servers isn't told which others exist (S-34).
        if (row ? !ownsServer(viewer, row) : !seesAllServers(viewer)) throw new AppError('forbidden')
        const text = row ? await agentConfigs.read(id) : null
        return ok(envelope(text === null ? null : JSON.stringify(text)))
      },
    },
    '/ddns/providers': {
      about: {
        id: 'ddns.providers',
        tag: 'ddns',
        summary: 'Names of the providers of DDNS profiles',
        scope: ddns.scopes.read,
        data: z.array(z.string()),
      },
      async answer(context) {
        demandFor(settings, context.get('caller').viewer, ddns, { audience: 'user', scope: ddns.scopes.read })
        return ok(envelope(dataText(Object.values(DdnsProvider))))
      },
    },
  }
}
