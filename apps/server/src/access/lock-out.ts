import type { Problem } from '@qd/core/errors'
import type { Caller } from '../kernel/caller.ts'
import type { SettingValues } from '../store/records/settings.ts'
import type { Firewall } from './firewall.ts'
import type { Sessions } from './sessions.ts'

/**
 * Why new settings would shut out whoever saves them, found by looking at their present request as those settings would have it: which
 * address it would come from, whether the firewall would let that in, and whether their sign-in would still count (behaviour D6). Null
 * where they could go on.
 */
export function lockOutOf(
  next: SettingValues,
  before: SettingValues,
  { caller, firewall, sessions }: { caller: Caller; firewall: Firewall; sessions: Pick<Sessions, 'addressOf'> },
): Problem | null {
  const { address, addressWith, session } = caller
  const header = next.web_real_ip_header
  const seen = addressWith?.(header) ?? address
  const problem = (field: string): Problem => ({ field, code: 'lockOut', params: { address: seen } })
  const byHeader = header !== before.web_real_ip_header && seen !== address
  if (!firewall.isShared(seen) && firewall.blocks(seen, next.waf_allowlist) !== null)
    return problem(byHeader ? 'web_real_ip_header' : 'waf_allowlist')
  const isCut = next.session_bound_to_address && session !== null && sessions.addressOf(session) !== seen
  return isCut ? problem(byHeader ? 'web_real_ip_header' : 'session_bound_to_address') : null
}
