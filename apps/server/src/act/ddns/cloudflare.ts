import * as z from 'zod'
import { type CallApi, type DdnsProviderPort, jsonFrom, refusedBy } from './provider.ts'
import type { FindZone } from './zone.ts'

const answer = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.number().catch(0), message: z.string() })).catch([]),
  result: z.unknown().optional(),
})
const named = z.array(z.object({ id: z.string(), name: z.string().catch(''), content: z.string().catch('') }))

/**
 * Cloudflare's API, version 4: a record is made where there is none, changed where there is one, and nothing is touched where there are
 * several. What else a record has (proxied, TTL, comment) stays. Source: contract engines 6.1.
 */
export function createCloudflare({
  call,
  findZone,
  origin,
}: {
  call: CallApi
  findZone: FindZone
  origin: string
}): DdnsProviderPort {
  async function ask(token: string, method: string, path: string, body: object | null = null): Promise<unknown> {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const got = await call({ method, url: `${origin}${path}`, headers, body: body && JSON.stringify(body) })
    const read = answer.safeParse(jsonFrom('cloudflare', got))
    if (!read.success) throw refusedBy('cloudflare', `returned ${got.status}, but not a response of its API`)
    if (read.data.success) return read.data.result
    const [first] = read.data.errors
    throw refusedBy('cloudflare', first ? `${first.message} (${first.code})` : `answered ${got.status}`)
  }

  async function found(token: string, path: string): Promise<z.output<typeof named>> {
    const read = named.safeParse(await ask(token, 'GET', path))
    if (!read.success) throw refusedBy('cloudflare', 'returned something other than a response of its API')
    return read.data
  }

  return {
    async publish({ access_secret: token }, { domain, record, address }) {
      const name = await findZone(domain)
      const [zone] = await found(token, `/zones?name=${encodeURIComponent(name)}`)
      if (!zone) throw refusedBy('cloudflare', `the token has no access to the zone ${name}`)
      const path = `/zones/${encodeURIComponent(zone.id)}/dns_records`
      const [first, second] = await found(token, `${path}?type=${record}&name=${encodeURIComponent(domain)}`)
      if (second) throw refusedBy('cloudflare', `${domain} has several ${record} records`)
      if (!first) await ask(token, 'POST', path, { type: record, name: domain, content: address, ttl: 60 })
      else if (first.content !== address)
        await ask(token, 'PATCH', `${path}/${encodeURIComponent(first.id)}`, { content: address })
    },
  }
}
