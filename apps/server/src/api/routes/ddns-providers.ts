import { DdnsProvider, ddns } from '@qd/core/resources'
import { demandFor } from '../../store/records/rights.ts'
import type { Settings } from '../../store/records/settings.ts'
import { dataText, envelope, ok } from '../http/answer.ts'
import type { HttpContext } from '../http/request.ts'

/** `GET /ddns/providers`: the names that a profile may have as its provider. */
export function createProvidersRoute({ settings }: { settings: Settings }) {
  return async (context: HttpContext): Promise<Response> => {
    demandFor(settings, context.get('caller').viewer, ddns, { audience: 'user', scope: ddns.scopes.read })
    return ok(envelope(dataText(Object.values(DdnsProvider))))
  }
}
