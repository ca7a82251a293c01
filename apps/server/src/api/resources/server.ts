import { actionOf, type InputOf, Role, type Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { hostRowName, resourceByName, server, serverGroup } from '@qd/core/resources'
import { toInputFrame } from '@qd/protocol/stream-frames'
import * as z from 'zod'
import type { HostReadings } from '../../act/hosts/readings.ts'
import { createFanOuts } from '../../act/operations/fan-out.ts'
import type { OwnershipTransfers } from '../../act/ownership-transfers.ts'
import { commandLineOf } from '../../act/runs/outcome.ts'
import type { AgentHub } from '../../fleet/agents/hub.ts'
import { createInstallCall } from '../../fleet/install/call.ts'
import type { Streams } from '../../fleet/streams/streams.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Random } from '../../kernel/ports.ts'
import { texts } from '../../kernel/texts.ts'
import type { Note } from '../../store/records/audit.ts'
import { commit } from '../../store/records/commit.ts'
import { readArgs, readIds } from '../../store/records/input.ts'
import type { MutableRecords } from '../../store/records/records.ts'
import { checkReferences } from '../../store/records/references.ts'
import { ownServer, owns, seesHosts, tokenCovers } from '../../store/records/rights.ts'
import type { ServerRecords, ServerRow } from '../../store/records/rows.ts'
import { toInstant } from '../../store/records/wire.ts'
import type { Container } from '../container.ts'
import { byWeight, defineEntity, type Entity, type LoadParts, storedFields } from './entity.ts'
import type { Surroundings } from './store.ts'
import { obstacles } from './transfer.ts'

type MutableServers = MutableRecords<ServerRow> & ServerRecords

export const servers: Entity<'server', ServerRow, MutableServers> = defineEntity(server, {
  table: 'servers',
  compare: byWeight,
  extend: withAgents,
  rules: (container, around, servers) => {
    const { live, agents, watchedHosts } = container
    return {
      byIds: true,
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
      fieldsOf(row) {
        const lastSeen = live.lastSeen(row.id)
        return {
          ...storedFields(server, row),
          own_secret: row.secret_hash !== '',
          enrolled_at: row.enrolled_at === null ? null : toInstant(row.enrolled_at),
          host: live.hostOf(row.id),
          state: live.sampleOf(row.id),
          geoip: live.geoipOf(row.id),
          pressure: live.pressureOf(row.id),
          maintenance_until: live.maintenanceOf(row.id).until,
          watched: watchedHosts.of(row.id),
          last_active: toInstant(live.lastActive(row.id)),
          last_seen_at: lastSeen === null ? null : toInstant(lastSeen),
        }
      },
      fieldsVersion: ({ id }) => `${live.versionOf(id)}.${watchedHosts.versionOf(id)}`,
      otherVersion: () => `${live.version()}.${watchedHosts.version()}`,
      withheld: (viewer) => (viewer.id !== null && seesHosts(around.settings, viewer) ? [] : ['watched']),
      async removed(rows) {
        for (const row of rows) agents.disconnect(row.id, 'server deleted')
      },
      actions: {
        async 'revoke-secret'(_caller, { id }, _args, note) {
          await servers.update(id, (row) => ({ ...row, secret_hash: '' }), { also: (db) => note?.(db) })
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

const initial = server.initial as InputOf<typeof server>
const unseen = { secret_hash: '', enrolled_at: null, last_seen_at: null, host: {}, geoip: {} }

function withAgents(records: MutableRecords<ServerRow>, { clock, random }: LoadParts): MutableServers {
  const enrolling = new Map<string, Promise<ServerRow>>()
  const ids = new Map(records.all().map((row) => [row.uuid, row.id]))
  const names = createNames(random)
  for (const { name } of records.all()) names.add(name)
  records.onChange(({ before, after }) => {
    if (before) ids.delete(before.uuid)
    if (after) ids.set(after.uuid, after.id)
    if (after) names.add(after.name)
    if (before) names.remove(before.name)
  })
  const byUuid = (uuid: string) => {
    const id = ids.get(uuid)
    return id === undefined ? undefined : records.find(id)
  }
  async function insert({ uuid, ownerId, hostname = '' }: Parameters<MutableServers['enrol']>[0]) {
    const name = isHostname(hostname) && !names.has(hostname) ? hostname : names.generate()
    // Taken while it is being stored.
    names.add(name)
    try {
      return await records.insert({ ...initial, ...unseen, uuid, name, owner_id: ownerId })
    } finally {
      names.remove(name)
    }
  }
  return {
    ...records,
    byUuid,
    async enrol(host) {
      const { uuid } = host
      const known = byUuid(uuid)
      if (known) return known
      const row = enrolling.get(uuid) ?? insert(host)
      enrolling.set(uuid, row)
      return row.finally(() => enrolling.delete(uuid))
    },
    giving: (ids, owner_id) => records.updating(ids, (row) => ({ ...row, owner_id })),
    setSecret: (id, secret_hash) => records.update(id, (row) => ({ ...row, secret_hash })),
    enrolled: (id, secret_hash) => records.update(id, (row) => ({ ...row, secret_hash, enrolled_at: clock.now() })),
    seen: (reports) => records.patchAll(reports),
  }
}

/** Whether a reported hostname is usable. Digits alone would be read as an ID. */
const isHostname = (name: string) => /^(?!localhost(\.|$)|\d+$)[a-z0-9][\w.-]{0,127}$/i.test(name)

const adjectives =
  'amber brisk calm clear crisp deft dusky early fair fleet green hale keen light mellow nimble north quick quiet sharp solid steady sunny swift tidy trim warm wide'.split(
    ' ',
  )
const nouns =
  'anchor beacon bowline buoy cabin capstan clipper cove cutter dinghy ferry gale gull harbor heron jetty keel lagoon mast otter pier quay reef rudder schooner skiff sloop tide'.split(
    ' ',
  )

/** The names of all servers, in any case; one may be taken several times. */
export function createNames(random: Random) {
  const taken = new Map<string, number>()
  const pairs = adjectives.length * nouns.length
  /** All pairs with numbers up to this are taken. */
  let full = 0
  const has = (name: string) => taken.has(name.toLowerCase())
  return {
    has,
    add(name: string): void {
      const key = name.toLowerCase()
      taken.set(key, (taken.get(key) ?? 0) + 1)
    },
    remove(name: string): void {
      const key = name.toLowerCase()
      const left = (taken.get(key) ?? 1) - 1
      if (left > 0) return void taken.set(key, left)
      taken.delete(key)
      full = 0
    },
    /** An unused pair of words for a nameless host, numbered if all are taken. */
    generate(): string {
      const [first, second] = random.bytes(2) as Uint8Array & [number, number]
      const start = (first % adjectives.length) * nouns.length + (second % nouns.length)
      for (; ; full += 1)
        for (let step = 0; step < pairs; step += 1) {
          const at = (start + step) % pairs
          const words = `${adjectives[Math.floor(at / nouns.length)]}-${nouns[at % nouns.length]}`
          const name = full === 0 ? words : `${words}-${full + 1}`
          if (!has(name)) return name
        }
    },
  }
}

interface MoveResult {
  server_id: number
  status: 'pending' | 'server_not_found' | keyof typeof obstacles
  transfer_id?: number
  error?: string
}

/** `POST /batch-move/server {ids, to_user}`. Members can only name themselves, so they move nothing. */
function createMove(
  { ownershipTransfers }: { ownershipTransfers: OwnershipTransfers },
  { servers, accounts }: Surroundings,
) {
  return async ({ viewer }: Caller, body: unknown, note?: Note): Promise<MoveResult[]> => {
    const { ids, to_user: toUserId } = (body ?? {}) as { ids?: unknown; to_user?: unknown }
    if (typeof toUserId !== 'number' || toUserId === 0) throw new AppError('invalid', { text: texts.userRequired })
    if (viewer.role !== Role.admin && toUserId !== viewer.id) throw new AppError('forbidden')
    if (!accounts.find(toUserId)) throw new AppError('notFound', { resource: 'user', id: toUserId })
    const asked = readIds(ids).map((id) => {
      const row = ownServer(servers, viewer, id)
      return { id, obstacle: row ? ownershipTransfers.obstacle(row, toUserId) : ('server_not_found' as const) }
    })
    const free = asked.flatMap(({ id, obstacle }) => (obstacle === null ? [id] : []))
    const begun = await ownershipTransfers.begin(free, { toUserId, by: viewer.id as number }, (db) => note?.(db))
    const seen = new Set<number>()
    return asked.map(({ id, obstacle }) => {
      const transfer = seen.has(id) ? undefined : begun.find(({ server_id }) => server_id === id)
      seen.add(id)
      if (transfer) return { server_id: id, status: 'pending', transfer_id: transfer.id }
      const status = obstacle ?? 'already_transferring'
      return { server_id: id, status, ...(status === 'agent_too_old' && { error: obstacles[status] }) }
    })
  }
}

/** `POST /batch-group/server {ids, add, remove}`. All or nothing. Errors: `invalid`. */
function createRegroup({ db, serverGroups: groups }: Pick<Container, 'db' | 'serverGroups'>, around: Surroundings) {
  const mayChange = (viewer: Viewer, id: number) => {
    const row = groups.find(id)
    if (!row || !owns(viewer, row)) return false
    return tokenCovers(viewer, { selection: { mode: 'only', servers: row.servers }, owner: row.owner_id }, around)
  }
  return async ({ viewer }: Caller, body: unknown, note?: Note): Promise<null> => {
    const { ids: named, ...rest } = (body ?? {}) as { readonly ids?: unknown }
    const ids = [...new Set(readIds(named))]
    const { add, remove } = readArgs(actionOf(server, 'groups'), rest) as { add: number[]; remove: number[] }
    const foreign = ids.filter((id) => !ownServer(around.servers, viewer, id))
    const problems = Object.entries({ ids: foreign, add: alien(add), remove: alien(remove) }).flatMap(([field, bad]) =>
      bad.length > 0 ? [{ field, code: 'unknownReference' as const, params: { ids: bad } }] : [],
    )
    if (problems.length > 0) throw new AppError('invalid', { text: texts.permission }, { problems })
    for (const id of add) {
      const owner = groups.find(id)?.owner_id ?? 0
      checkReferences(serverGroup, { input: { servers: ids }, owner, viewer, texts: {} }, around)
    }
    const regroup = groups.updating(
      () => [...add, ...remove],
      (row) => {
        const all = add.includes(row.id) ? [...new Set([...row.servers, ...ids])] : row.servers
        return { ...row, servers: remove.includes(row.id) ? all.filter((one) => !ids.includes(one)) : all }
      },
    )
    await commit(db, [regroup], (handle) => note?.(handle))
    return null

    function alien(some: readonly number[]) {
      return some.filter((id) => !mayChange(viewer, id))
    }
  }
}

/**
 * Opens a terminal stream for `/ws/terminal/{session_id}`. `inside`: the record on the host in which the shell runs. Agents that can’t start a
 * program in a terminal get it typed into their shell. Another user's server counts as unknown, whatever its state (contract http-api 3.8, 11).
 * Errors: `invalid`, `notFound`, `blocked`.
 */
function createShell(parts: {
  servers: ServerRecords
  agents: AgentHub
  streams: Streams
  hostReadings: HostReadings
}) {
  const { servers, agents, streams, hostReadings } = parts
  return async (caller: Caller, body: unknown) => {
    const { server_id: id, inside } = (body ?? {}) as { server_id?: unknown; inside?: unknown }
    const place = inside === undefined ? null : readPlace(inside)
    const row = ownServer(servers, caller.viewer, readServerId(id))
    if (!row) throw new AppError('notFound', { resource: 'server', id: Number(id ?? 0), text: texts.notConnected })
    if (!agents.connected(row.id)) throw new AppError('blocked', { reason: 'notConnected', text: texts.notConnected })
    const startsProgram = place !== null && hostReadings.collects(place.kind, row.id)
    const session_id = streams.create({
      ...{ caller, serverId: row.id, purpose: 'terminal' },
      ...(place && { about: ` ${place.kind.name} ${place.name}` }),
      ...(startsProgram && { more: { program: place.program } }),
      ...(place && !startsProgram && { opening: toInputFrame(`exec ${commandLineOf(place.program)}\r`) }),
    })
    return { session_id, server_id: row.id, server_name: row.name }
  }
}

const place = z.object({ kind: z.string(), name: hostRowName() })

/** The record on a host in which a shell is to run, and the program for it. Errors: `invalid`. */
function readPlace(inside: unknown) {
  const { data } = place.safeParse(inside)
  const { name: kind, host } = resourceByName(data?.kind ?? '') ?? {}
  const program = data && host?.shell?.(data.name)
  if (!kind || !host || !program) throw new AppError('invalid', {}, { problems: [{ field: 'inside', code: 'wrong' }] })
  return { kind: { name: kind, host }, name: data.name, program }
}

/** Missing counts as 0, which no server has. Errors: `invalid`. */
function readServerId(id: unknown = 0): number {
  if (Number.isSafeInteger(id)) return id as number
  throw new AppError('invalid', {}, { problems: [{ field: 'server_id', code: 'notId' }] })
}
