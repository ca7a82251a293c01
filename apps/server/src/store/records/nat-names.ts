import type { Problem } from '@qd/core/errors'
import { textParts } from '@qd/core/i18n'
import { isReservedHost, ownHosts, plainHost } from '../../kernel/net/reserved-hosts.ts'
import type { ConsoleNames } from './console-names.ts'
import type { Accounts, NatRow } from './rows.ts'
import type { Settings } from './settings.ts'

/** Which names NAT profiles may have. */
export interface NatNames {
  /** What keeps a profile from being served; null if nothing does. The console’s own names come before every profile. */
  refusalOf(row: Pick<NatRow, 'domain' | 'owner_id'>): Omit<Problem, 'field'> | null
}

/** Builds it; `listensOn` is the host that the server listens on. */
export function createNatNames(parts: {
  settings: Pick<Settings, 'get'>
  accounts: Pick<Accounts, 'isAdmin'>
  consoleNames: Pick<ConsoleNames, 'has'>
  listensOn: string
}): NatNames {
  const { settings, accounts, consoleNames, listensOn } = parts
  return {
    refusalOf({ domain, owner_id }) {
      const name = plainHost(domain)
      const values = settings.get()
      if (consoleNames.has(name) || isReservedHost(domain, ownHosts(values, listensOn))) return { code: 'reserved' }
      if (accounts.isAdmin(owner_id)) return null
      const suffixes = textParts(values.nat_domains)
      if (suffixes.some((suffix) => name.endsWith(`.${plainHost(suffix)}`))) return null
      return suffixes.length === 0
        ? { code: 'adminsOnly' }
        : { code: 'notBelow', params: { suffixes: suffixes.join(', ') } }
    },
  }
}
