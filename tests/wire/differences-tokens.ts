import type { Difference } from './difference.ts'
import { asUnknown } from './reasons.ts'

const noPair = 'the pair is bound to a session, which a token has none of'

/** How ours differs in what API tokens may do. */
export const tokens: readonly Difference[] = [
  { file: 'api-tokens', step: 'PAT: list servers', at: [/^headers\.set-cookie$/], why: noPair },
  {
    file: 'api-tokens-whitelist',
    step: 'member: token for a foreign server',
    error: 'server not found',
    why: asUnknown,
  },
  { file: 'api-tokens-whitelist', step: 'edit other server', error: 'server id 3 does not exist', why: asUnknown },
  { file: 'api-tokens-whitelist', step: 'delete other server', success: true, why: asUnknown },
]
