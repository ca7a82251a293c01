import { toAppError } from '@qd/core/errors'
import type { DdnsResult } from '@qd/core/schemas'
import type { Base } from '../../base.ts'
import type { LiveState } from '../../fleet/live/live-store.ts'
import type { Outbound } from '../../kernel/net/outbound.ts'
import type { Clock } from '../../kernel/ports.ts'
import { errorText } from '../../kernel/texts.ts'
import { createOrder } from '../../store/records/commit.ts'
import type { DdnsRow, ServerRow } from '../../store/records/rows.ts'
import { toInstant } from '../../store/records/wire.ts'
import { addressesOf, profilesOf, type WantedRecord, wantedRecords, withResults } from './plan.ts'
import { createProviders, type DdnsProviderPort } from './providers.ts'
import type { FindZone } from './zone.ts'

/** `waiting`: servers still being updated. */
export interface DdnsUpdate {
  servers: number
  waiting: number
  results: Readonly<Record<string, DdnsResult>>
}

export type Ddns = ReturnType<typeof createDdns>

const timeoutMs = 25_000

/** Updates a server when its address changes (the first report after a start counts) and when its record is saved (contract engines 6.2, 6.3). */
export function createDdns(
  base: Base,
  { live, ...network }: { live: LiveState; outbound: Outbound; findZone: FindZone },
) {
  const { servers, ddns: profiles, accounts, announcements, clock, log } = base
  const providers = createProviders(base, network)
  const known = new Map<number, { ip: unknown; text: string }>()
  const lanes = new Map<string, { again: boolean; done: Promise<void> }>()
  const inOrder = createOrder()
  let isOver = false
  let unlisten: readonly (() => void)[] = []

  const followedBy = (server: ServerRow) => profilesOf(server, profiles, (owner) => accounts.isAdmin(owner))

  async function keep(profileId: number, serverId: number, fresh: readonly DdnsResult[] | null): Promise<void> {
    const row = profiles.find(profileId)
    if (!row || isOver) return
    await profiles.updated(profileId, withResults(row.results, serverId, fresh))
    announcements.announce({ resource: 'ddns', id: profileId, ownerId: row.owner_id })
  }

  async function perform(serverId: number, profileId: number): Promise<void> {
    const server = servers.find(serverId)
    const profile = server && followedBy(server).find(({ id }) => id === profileId)
    if (!server || !profile) return
    const wanted = wantedRecords(profile, server, live.geoipOf(serverId).ip)
    const provider = providers[profile.provider as keyof typeof providers]
    const results = await publishAll(wanted, { profile, server, provider, clock, isOver: () => isOver })
    for (const { domain, record, error } of results)
      if (error !== '') log.warn({ profile: profileId, server: serverId, domain, record, error }, 'DDNS update failed')
    const isStill = servers.find(serverId)?.ddns_profiles.includes(profileId)
    await inOrder(() => keep(profileId, serverId, isStill ? results : null))
  }

  function run(serverId: number, profileId: number): Promise<void> {
    const key = `${serverId} ${profileId}`
    const lane = lanes.get(key)
    if (lane) {
      lane.again = true
      return lane.done
    }
    const fresh = { again: false, done: Promise.resolve() }
    async function loop() {
      do {
        fresh.again = false
        await perform(serverId, profileId)
      } while (fresh.again && !isOver)
    }
    fresh.done = loop()
      .catch((err: unknown) => {
        if (!isOver) log.error({ err, profile: profileId, server: serverId }, 'DDNS update aborted')
      })
      .finally(() => lanes.delete(key))
    lanes.set(key, fresh)
    return fresh.done
  }

  const runAll = (server: ServerRow) => {
    for (const { id } of followedBy(server)) void run(server.id, id)
  }

  function check(id: number) {
    const { ip } = live.geoipOf(id)
    const before = known.get(id)
    if (!ip || before?.ip === ip) return
    const { ipv4, ipv6 } = addressesOf(ip)
    const text = `${ipv4} ${ipv6}`
    known.set(id, { ip, text })
    const server = servers.find(id)
    if (server?.enable_ddns && text.trim() !== '' && text !== before?.text) runAll(server)
  }

  return {
    engine: {
      name: 'ddns',
      async start() {
        unlisten = [
          live.onChange(check),
          servers.onChange(({ id, before, after, isCleaning }) => {
            if (!after) known.delete(id)
            const left = (before?.ddns_profiles ?? []).filter((one) => !after?.ddns_profiles.includes(one))
            for (const profile of left) inOrder(() => keep(profile, id, null)).catch(() => {})
            if (after?.enable_ddns && !isCleaning) runAll(after)
          }),
        ]
      },
      async stop() {
        isOver = true
        for (const end of unlisten) end()
      },
    },
    /** Updates every server that follows the profile. Resolves when all are done, or after 25 s. */
    async update(profileId: number): Promise<DdnsUpdate> {
      const following = servers.all().filter((server) => followedBy(server).some(({ id }) => id === profileId))
      let waiting = following.length
      const all = following.map(async ({ id }) => {
        await run(id, profileId)
        waiting -= 1
      })
      const timeout = new Promise<void>((resolve) => clock.after(timeoutMs, resolve))
      await Promise.race([Promise.all(all), timeout])
      return { servers: following.length, waiting, results: profiles.find(profileId)?.results ?? {} }
    },
  }
}

const atOnce = 4
const maxSaid = 300

interface UpdateParts {
  profile: DdnsRow
  server: Pick<ServerRow, 'id' | 'name'>
  provider: DdnsProviderPort
  clock: Clock
  isOver(): boolean
}

/** Publishes every record, each with at most `max_retries` tries. Never throws. */
async function publishAll(wanted: readonly WantedRecord[], parts: UpdateParts): Promise<readonly DdnsResult[]> {
  const { pauseMs = 0 } = parts.provider
  const results: DdnsResult[] = []
  const waiting = [...wanted]
  let isFirst = true
  async function work() {
    for (let next = waiting.shift(); next && !parts.isOver(); next = waiting.shift()) {
      const pause = async () => {
        if (pauseMs > 0 && !isFirst) await new Promise<void>((resolve) => parts.clock.after(pauseMs, resolve))
        isFirst = false
      }
      results.push(await publish(next, parts, pause))
    }
  }
  await Promise.all(Array.from({ length: pauseMs > 0 ? 1 : atOnce }, work))
  return results
}

async function publish(wanted: WantedRecord, parts: UpdateParts, pause: () => Promise<void>): Promise<DdnsResult> {
  const { profile, server, provider, clock } = parts
  let error = ''
  let tries = 0
  do {
    tries += 1
    await pause()
    error = await provider.publish(profile, wanted).then(
      () => '',
      (thrown: unknown) => errorText(toAppError(thrown)),
    )
  } while (error !== '' && tries < profile.max_retries && !parts.isOver())
  return {
    ...wanted,
    server_id: server.id,
    server: server.name,
    at: toInstant(clock.now()),
    error: withoutSecrets(error, profile).slice(0, maxSaid),
    tries,
  }
}

/** A provider may repeat the request in its error. */
function withoutSecrets(text: string, { access_secret }: DdnsRow): string {
  return access_secret.length < 4 ? text : text.replaceAll(access_secret, '***')
}
