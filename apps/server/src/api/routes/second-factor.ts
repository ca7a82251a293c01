import { AppError } from '@qd/core/errors'
import type { Container } from '../container.ts'
import { dataText, envelope, ok } from '../http/answer.ts'
import type { HttpContext } from '../http/request.ts'

/** The key that waits for its first code, for the form that turns the second factor on. */
export function createKeyRoute({
  accounts,
  secondFactor,
  stepUp,
}: Pick<Container, 'accounts' | 'secondFactor' | 'stepUp'>) {
  return async (context: HttpContext): Promise<Response> => {
    const caller = context.get('caller')
    const user = accounts.find(caller.viewer.id ?? 0)
    if (caller.session === null || !user) throw new AppError('unauthorized')
    stepUp.demand(caller)
    const { uri, key } = secondFactor.begin(user, caller.session)
    return ok(envelope(dataText({ uri, key })))
  }
}
