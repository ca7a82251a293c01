import { Resolver } from 'node:dns/promises'
import { AppError } from '@qd/core/errors'
import { textParts } from '@qd/core/i18n'

export type FindZone = (domain: string) => Promise<string>

/** Default DNS servers (contract engines 6.3). */
const usualServers: readonly string[] = [
  '8.8.8.8',
  '8.8.4.4',
  '1.1.1.1',
  '1.0.0.1',
  '[2001:4860:4860::8888]',
  '[2001:4860:4860::8844]',
  '[2606:4700:4700::1111]',
  '[2606:4700:4700::1001]',
].map((address) => `${address}:53`)

const timeoutMs = 3000

const isNoZone = (error: unknown) => ['ENODATA', 'ENOTFOUND'].includes((error as { code?: string }).code ?? '')

/** Queries the SOA record of a domain, then of each parent. `servers`: the setting, a list of `address:port`. */
export function createZoneFinder(servers: () => string): FindZone {
  return async (domain) => {
    const listed = textParts(servers())
    const resolver = new Resolver({ timeout: timeoutMs, tries: 1 })
    try {
      resolver.setServers(listed.length > 0 ? listed : usualServers)
    } catch {
      throw failed(`invalid setting dns_servers: ${listed.join(', ')}`)
    }
    const labels = domain.replace(/^\*\./, '').split('.')
    for (const [index] of labels.slice(0, -1).entries()) {
      const name = labels.slice(index).join('.')
      try {
        await resolver.resolveSoa(name)
        return name
      } catch (error) {
        if (!isNoZone(error))
          throw failed(`the DNS servers do not return the zone of ${domain} (${(error as Error).message})`)
      }
    }
    throw failed(`no zone found for ${domain}`)
  }
}

const failed = (text: string) => new AppError('failed', { text })
