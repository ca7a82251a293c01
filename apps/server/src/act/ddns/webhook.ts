import { AppError } from '@qd/core/errors'
import { ddnsFieldOf, fillDdnsRequest } from '@qd/core/schemas'
import { problemText } from '../../kernel/texts.ts'
import { type CallApi, type DdnsProviderPort, refusedBy } from './provider.ts'

/** A request of the operator's own making for each record; an answer other than 2xx fails (decisions.md, Q21). */
export function createWebhook(call: CallApi): DdnsProviderPort {
  return {
    async publish(profile, { domain, record, address: ip }) {
      const { access_id, access_secret } = profile
      const { status } = await call(
        withField(() => fillDdnsRequest(profile, { ip, domain, record, access_id, access_secret })),
      )
      if (status < 200 || status > 299) throw refusedBy('webhook', `answered ${status}`)
    },
  }
}

/** Says a field of the request by its name in the profile. */
function withField<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const problems = error.problems.map((one) => ({ ...one, field: ddnsFieldOf(one.field) }))
    throw refusedBy('webhook', problemText(problems))
  }
}
