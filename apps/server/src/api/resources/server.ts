import type { InputOf } from '@qd/core/define'
import { server } from '@qd/core/resources'
import { createFanOuts } from '../../act/operations/fan-out.ts'
import { createInstallCall } from '../../fleet/install/call.ts'
import type { Random } from '../../kernel/ports.ts'
import type { MutableRecords } from '../../store/records/records.ts'
import type { ServerRecords, ServerRow } from '../../store/records/rows.ts'
import { toInstant } from '../../store/records/wire.ts'
import { byWeight, defineEntity, type Entity, type LoadParts, storedFields } from './entity.ts'
import { createMove } from './move.ts'
import { createRegroup } from './regroup.ts'
import { createShell } from './server-shell.ts'

/** Servers as stores and engines see them. */
type MutableServers = MutableRecords<ServerRow> & ServerRecords

/** Monitored machines, made by their agents. */
export const servers: Entity<'server', ServerRow, MutableServers> = defineEntity(server, {
  table: 'servers',
  compare: byWeight,
  extend: withAgents,
  rules: (container, around, servers) => {
    const { live, agents } = container
    return {
      byIds: true,
      reach: ({ id }) => ({ mode: 'only', servers: [id] }),
      omit: [
        'uuid',
        'note',
        'public_note',
        'hide_for_guest',
        'enable_ddns',
        'ddns_profiles',
        'override_ddns_domains',
        'last_seen_at',
        'own_secret',
      ],
      fieldsOf(row) {
        const lastSeen = live.lastSeen(row.id)
        return {
          ...storedFields(server, row),
          own_secret: row.secret_hash !== '',
          host: live.hostOf(row.id),
          state: live.sampleOf(row.id),
          geoip: live.geoipOf(row.id),
          pressure: live.pressureOf(row.id),
          maintenance_until: live.maintenanceOf(row.id),
          last_active: toInstant(live.lastActive(row.id)),
          last_seen_at: lastSeen === null ? null : toInstant(lastSeen),
        }
      },
      fieldsVersion: ({ id }) => live.versionOf(id),
      otherVersion: () => String(live.version()),
      async removed(rows) {
        for (const row of rows) agents.disconnect(row.id, 'server deleted')
      },
      actions: {
        async 'revoke-secret'(_caller, { id }) {
          await servers.setSecret(id, '')
          agents.disconnect(id, 'the secret of this agent was revoked')
        },
      },
      calls: {
        shell: createShell({ ...container, servers }),
        install: createInstallCall({ ...container, servers, siteSecret: container.agentSecret }),
        move: createMove(container, around),
        groups: createRegroup(container, around),
        ...createFanOuts({ ...container, servers }),
      },
    }
  },
})

/** A new host is what the form would make of it. */
const initial = server.initial as InputOf<typeof server>
const unseen = { secret_hash: '', last_seen_at: null, host: {}, geoip: {} }

/** Servers with what only the agent side writes. */
function withAgents(records: MutableRecords<ServerRow>, { random }: LoadParts): MutableServers {
  const enrolling = new Map<string, Promise<ServerRow>>()
  const ids = new Map(records.all().map((row) => [row.uuid, row.id]))
  /** Every name that was given, so that none is given twice while the record of one is still being made. */
  const names = new Set(records.all().map((row) => row.name))
  records.onChange(({ before, after }) => {
    if (after) names.add(after.name)
    if (before) ids.delete(before.uuid)
    if (after) ids.set(after.uuid, after.id)
  })
  const byUuid = (uuid: string) => {
    const id = ids.get(uuid)
    return id === undefined ? undefined : records.find(id)
  }
  const freshName = () => {
    const name = generatedName(random, (one) => names.has(one))
    names.add(name)
    return name
  }
  async function insert(uuid: string, ownerId: number) {
    const name = freshName()
    try {
      return await records.insert({ ...initial, ...unseen, uuid, name, owner_id: ownerId })
    } catch (error) {
      names.delete(name)
      throw error
    }
  }
  return {
    ...records,
    byUuid,
    async enrol({ uuid, ownerId }) {
      const known = byUuid(uuid)
      if (known) return known
      const row = enrolling.get(uuid) ?? insert(uuid, ownerId)
      enrolling.set(uuid, row)
      return row.finally(() => enrolling.delete(uuid))
    },
    giveTo: (id, ownerId) => records.update(id, (row) => ({ ...row, owner_id: ownerId })),
    setSecret: (id, secret_hash) => records.update(id, (row) => ({ ...row, secret_hash })),
    seen: (reports) => records.patchAll(reports),
  }
}

const adjectives =
  'amber brisk calm clear crisp deft dusky early fair fleet green hale keen light mellow nimble north quick quiet sharp solid steady sunny swift tidy trim warm wide'.split(
    ' ',
  )
const nouns =
  'anchor beacon bowline buoy cabin capstan clipper cove cutter dinghy ferry gale gull harbor heron jetty keel lagoon mast otter pier quay reef rudder schooner skiff sloop tide'.split(
    ' ',
  )

/** Two words with a hyphen for a host that has no name yet: another than any that is taken, with a number where all are. */
export function generatedName(random: Random, isTaken: (name: string) => boolean): string {
  const [first, second] = random.bytes(2) as Uint8Array & [number, number]
  const count = adjectives.length * nouns.length
  const start = (first % adjectives.length) * nouns.length + (second % nouns.length)
  for (let step = 0; ; step += 1) {
    const at = (start + step) % count
    const words = `${adjectives[Math.floor(at / nouns.length)]}-${nouns[at % nouns.length]}`
    const name = step < count ? words : `${words}-${Math.floor(step / count) + 1}`
    if (!isTaken(name)) return name
  }
}
