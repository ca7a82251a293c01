import type { SayContext, Values } from '../define/index.ts'
import { AppError } from '../errors/index.ts'
import { type DdnsWebhook, fillDdnsRequest, RecordType } from '../schemas/index.ts'

/** Of a long body this much is shown. */
const maxShown = 4000

/** The request of a webhook as typed, for the address of a server that has one; nothing if it cannot be built: the fields say why. */
export function previewDdns(values: Values, { view }: SayContext): readonly string[] {
  if (values.provider !== 'webhook' || !values.webhook_url) return []
  const [first = 'home.example.net'] = values.domains as readonly string[]
  const addresses = view.all('server').map(({ geoip }) => (geoip as { ip?: { ipv4_addr?: string } } | undefined)?.ip)
  const template = Object.fromEntries(Object.entries(values).map(([field, value]) => [field, value ?? '']))
  try {
    const { method, url, headers, body } = fillDdnsRequest(template as unknown as DdnsWebhook, {
      ip: addresses.find((ip) => ip?.ipv4_addr)?.ipv4_addr ?? '203.0.113.7',
      domain: first,
      record: RecordType.ipv4,
      access_id: String(values.access_id ?? ''),
      access_secret: '***',
    })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [`${method} ${url}`, ...lines, ...(body ? [body.slice(0, maxShown)] : [])]
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}
