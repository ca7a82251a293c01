import { service } from '@qd/core/resources'
import { resolveTargets } from '@qd/core/targets'
import type { TaskResult } from '@qd/protocol/agent'
import type { Base } from '../../base.ts'
import type { AgentHub } from '../../fleet/agents/hub.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { ServiceRow } from '../../store/records/rows.ts'

/** Slices spread the answers and let other work run. */
const perSlice = 100
const pauseMs = 10
/** Probes end within 30 s, and may queue first (agent contract 3.4). */
const answerWithinMs = 60_000
/** A server with an outstanding answer isn't asked again before this. */
const busyMs = 35_000
/** Far above the IDs of other tasks. */
const firstId = 2 ** 40

interface Sent {
  serviceId: number
  type: number
  target: string
  at: number
}

export function createDispatcher({ hub, clock }: { hub: AgentHub; clock: Clock }) {
  const owed = new Map<number, Map<number, Sent>>()
  const counts = new Map<number, number>()
  let waiting: { service: ServiceRow; serverId: number }[] = []
  let nextId = firstId
  let cancel: (() => void) | null = null

  function count(serviceId: number, step: number) {
    const next = (counts.get(serviceId) ?? 0) + step
    if (next > 0) counts.set(serviceId, next)
    else counts.delete(serviceId)
  }

  function settle(serverId: number, id: number) {
    const ofServer = owed.get(serverId)
    const sent = ofServer?.get(id)
    if (!ofServer || !sent) return
    ofServer.delete(id)
    if (ofServer.size === 0) owed.delete(serverId)
    count(sent.serviceId, -1)
  }

  /** Whether a probe of this service is outstanding. Drops expired ones. */
  function isBusy(serverId: number, serviceId: number): boolean {
    const now = clock.now()
    let busy = false
    for (const [id, sent] of owed.get(serverId) ?? []) {
      const age = now - sent.at
      if (age > answerWithinMs || age < 0) settle(serverId, id)
      else if (sent.serviceId === serviceId && age < busyMs) busy = true
    }
    return busy
  }

  function send(service: ServiceRow, serverId: number) {
    const { id: serviceId, type, target } = service
    count(serviceId, -1)
    if (isBusy(serverId, serviceId)) return
    const id = nextId
    if (!hub.send(serverId, { id, type, data: target })) return
    nextId += 1
    const ofServer = owed.get(serverId) ?? new Map<number, Sent>()
    owed.set(serverId, ofServer.set(id, { serviceId, type, target, at: clock.now() }))
    count(serviceId, 1)
  }

  function slice() {
    cancel = null
    for (const { service, serverId } of waiting.splice(0, perSlice)) send(service, serverId)
    if (waiting.length > 0) cancel = clock.after(pauseMs, slice)
  }

  return {
    /** Queues a probe for each of these servers. Returns how many are connected. */
    ask(service: ServiceRow, servers: Iterable<number>): number {
      const asked = [...servers].filter((id) => hub.connected(id))
      for (const serverId of asked) waiting.push({ service, serverId })
      count(service.id, asked.length)
      if (cancel === null) slice()
      return asked.length
    },
    /** The probe that a result answers; null if it was never asked, is a repeat or late (behaviour S-39). */
    take(serverId: number, { id, type }: TaskResult): { serviceId: number; target: string } | null {
      const key = Number(id)
      const sent = owed.get(serverId)?.get(key)
      if (!sent || BigInt(sent.type) !== type) return null
      settle(serverId, key)
      return clock.now() - sent.at > answerWithinMs ? null : { serviceId: sent.serviceId, target: sent.target }
    },
    awaited: (serviceId: number) => counts.get(serviceId) ?? 0,
    lost(serverId: number): void {
      for (const id of [...(owed.get(serverId)?.keys() ?? [])]) settle(serverId, id)
    },
    forget(serviceId: number): void {
      waiting = waiting.filter(({ service }) => service.id !== serviceId)
      for (const [serverId, ofServer] of owed)
        for (const [id, sent] of ofServer) if (sent.serviceId === serviceId) settle(serverId, id)
      counts.delete(serviceId)
    },
    stop(): void {
      cancel?.()
      cancel = () => undefined
      waiting = []
    },
  }
}

/** The servers that each monitor targets for its owner, cached until servers or users change. */
export function createCoverage({ servers, accounts }: Pick<Base, 'servers' | 'accounts'>) {
  let fleet = 0
  const kept = new WeakMap<ServiceRow, { version: string; ids: ReadonlySet<number> }>()
  servers.onChange(({ before, after }) => {
    if (before?.owner_id !== after?.owner_id) fleet += 1
  })
  return (row: ServiceRow): ReadonlySet<number> => {
    const version = `${fleet}.${accounts.version()}`
    const known = kept.get(row)
    if (known?.version === version) return known.ids
    const targets = resolveTargets({
      selection: service.targets!({ ...row }),
      owner: accounts.ownerOf(row.owner_id),
      servers: servers.all().map(({ id, owner_id }) => ({ id, owner: owner_id, online: true })),
    })
    const ids = new Set(targets.ids)
    kept.set(row, { version, ids })
    return ids
  }
}
