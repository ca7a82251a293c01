import { DdnsProvider } from '@qd/core/resources'
import type { Base } from '../../base.ts'
import type { Outbound } from '../../kernel/net/outbound.ts'
import { createCloudflare } from './cloudflare.ts'
import { createHe } from './he.ts'
import type { CallApi, DdnsProviderPort } from './provider.ts'
import { createTencentCloud } from './tencentcloud.ts'
import { createWebhook } from './webhook.ts'
import { createZoneFinder } from './zone.ts'

/** One call to a provider may take this long, in ms. */
const patienceMs = 10_000
/** Of an answer this much is read, in bytes. */
const mostRead = 256 * 1024

/** Every provider by its name; `config.ddnsOrigins` says where the APIs are. */
export function createProviders(
  { config, settings, clock }: Pick<Base, 'config' | 'settings' | 'clock'>,
  outbound: Outbound,
): Readonly<Record<DdnsProvider, DdnsProviderPort>> {
  const { cloudflare, tencentcloud, he } = config.ddnsOrigins
  const findZone = createZoneFinder(() => settings.get().dns_servers)
  const ask =
    (readsBytes: number): CallApi =>
    async (call) => {
      const { status, body = '' } = await outbound({ ...call, verifyTls: true, timeoutMs: patienceMs, readsBytes })
      return { status, body }
    }
  const call = ask(mostRead)
  return {
    [DdnsProvider.dummy]: { publish: async () => {} },
    // The answer of an address that a member chose is nobody's business (S-42).
    [DdnsProvider.webhook]: createWebhook(ask(0)),
    [DdnsProvider.cloudflare]: createCloudflare({ call, findZone, origin: cloudflare }),
    [DdnsProvider.tencentcloud]: createTencentCloud({ call, findZone, origin: tencentcloud, clock }),
    [DdnsProvider.he]: createHe({ call, origin: he }),
  }
}
