import { server } from '@qd/core/resources'
import type { Db } from '../db/schema.ts'
import type { Transfers } from '../jobs/transfers.ts'
import { createFanOuts } from '../operations/fan-out.ts'
import type { ServerRecords, ServerRow } from '../rows.ts'
import type { AgentHub, Caller, Clock, LiveState, Random, RunLedger } from '../services.ts'
import type { Streams } from '../streams/streams.ts'
import { createMove } from './move.ts'
import { createRecords, type MutableRecords } from './records.ts'
import { createShell } from './server-shell.ts'
import { createStore, type ResourceStore, type Surroundings, toInstant } from './store.ts'
import { tableOf } from './table.ts'

/** Servers as stores and engines see them. */
export type MutableServers = MutableRecords<ServerRow> & ServerRecords

/** Loads all servers. */
export async function createServers(parts: { db: Db; clock: Clock; random: Random }): Promise<MutableServers> {
  const { db, clock, random } = parts
  const records = await createRecords<ServerRow>({
    db,
    clock,
    persist: tableOf<ServerRow>('servers', {
      flags: ['hide_for_guest', 'enable_ddns'],
      json: { ddns_profiles: [], override_ddns_domains: {} },
    }),
    compare: (a, b) => b.display_index - a.display_index || a.id - b.id,
  })
  const enrolling = new Map<string, Promise<ServerRow>>()
  const ids = new Map(records.all().map((row) => [row.uuid, row.id]))
  records.onChange(({ before, after }) => {
    if (before) ids.delete(before.uuid)
    if (after) ids.set(after.uuid, after.id)
  })
  const byUuid = (uuid: string) => {
    const id = ids.get(uuid)
    return id === undefined ? undefined : records.find(id)
  }
  return {
    ...records,
    byUuid,
    async enrol({ uuid, ownerId }) {
      const known = byUuid(uuid)
      if (known) return known
      const row =
        enrolling.get(uuid) ?? records.insert({ ...blank, uuid, name: generatedName(random), owner_id: ownerId })
      enrolling.set(uuid, row)
      return row.finally(() => enrolling.delete(uuid))
    },
    giveTo: (id, ownerId) => records.update(id, (row) => ({ ...row, owner_id: ownerId })),
    seen: (times) => records.patchAll(new Map([...times].map(([id, at]) => [id, { last_seen_at: at }]))),
  }
}

const blank = {
  note: '',
  public_note: '',
  display_index: 0,
  hide_for_guest: false,
  enable_ddns: false,
  ddns_profiles: [],
  override_ddns_domains: {},
  last_seen_at: null,
}

const adjectives =
  'amber brisk calm clear crisp deft dusky early fair fleet green hale keen light mellow nimble north quick quiet sharp solid steady sunny swift tidy trim warm wide'.split(
    ' ',
  )
const nouns =
  'anchor beacon bowline buoy cabin capstan clipper cove cutter dinghy ferry gale gull harbor heron jetty keel lagoon mast otter pier quay reef rudder schooner skiff sloop tide'.split(
    ' ',
  )

/** Two words with a hyphen for a host that has no name yet. */
function generatedName(random: Random): string {
  const [first, second] = random.bytes(2) as Uint8Array & [number, number]
  return `${adjectives[first % adjectives.length]}-${nouns[second % nouns.length]}`
}

/** The store behind the server routes. */
export function createServerStore(
  parts: {
    servers: MutableServers
    live: LiveState
    agents: AgentHub
    streams: Streams
    runs: RunLedger
    moves: Transfers
    install: (caller: Caller, query: unknown) => Promise<unknown>
    leftGroups(): Promise<void>
  },
  around: Surroundings,
): ResourceStore {
  const { servers, live, agents, leftGroups } = parts
  return createStore<ServerRow>(
    {
      resource: server,
      records: servers,
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
      ],
      fieldsOf({ id, owner_id: _owner, created_at: _created, updated_at: _updated, last_seen_at: _seen, ...fields }) {
        const lastSeen = live.lastSeen(id)
        return {
          ...fields,
          host: live.hostOf(id),
          state: live.sampleOf(id),
          geoip: live.geoipOf(id),
          last_active: toInstant(live.lastActive(id)),
          last_seen_at: lastSeen === null ? null : toInstant(lastSeen),
        }
      },
      fieldsVersion: ({ id }) => live.versionOf(id),
      otherVersion: () => String(live.version()),
      alsoRemove: async (db, ids) => {
        await db
          .deleteFrom('server_group_members')
          .where('server_id', 'in', [...ids])
          .execute()
      },
      async removed(rows) {
        for (const row of rows) agents.disconnect(row.id, 'server deleted')
        await leftGroups()
      },
      calls: {
        shell: createShell(parts),
        install: parts.install,
        move: createMove(parts, around),
        ...createFanOuts(parts),
      },
    },
    around,
  )
}
