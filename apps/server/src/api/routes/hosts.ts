import {
  type Action,
  type AnyRow,
  allowed,
  type HostSource,
  holds,
  hostMetricNames,
  hostStates,
  isHostMetric,
  lazy,
  type Resource,
  textKey,
  type View,
  type Viewer,
} from '@qd/core/define'
import { AppError, type Problem } from '@qd/core/errors'
import { createTranslator, loadLanguage } from '@qd/core/i18n'
import { hostNameOf, hostRowName, maxHostTargets, server } from '@qd/core/resources'
import { longestCommand } from '@qd/core/schemas'
import { predicateOf, selectedFields } from '@qd/core/targets'
import { logLimits, logSources, parseLogRequest } from '@qd/protocol/logs'
import * as z from 'zod'
import type { StepUp } from '../../access/step-up.ts'
import { viewOf } from '../../act/following.ts'
import type { HostReading } from '../../act/hosts/readings.ts'
import { answerWithinMs } from '../../act/runs/evidence.ts'
import { commandLineOf, programSeconds } from '../../act/runs/outcome.ts'
import type { RolloutPlan } from '../../act/runs/rollout.ts'
import type { RunOrder } from '../../act/runs/run-types.ts'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { readArgs, readObject } from '../../store/records/input.ts'
import { readSelection } from '../../store/records/pages.ts'
import { demandFor, historyScope, ownServer, owns, ownsServer, seesHosts } from '../../store/records/rights.ts'
import type { Container } from '../container.ts'
import { dataText, envelope, ok, packed } from '../http/answer.ts'
import { readBody, readNumber } from '../http/request.ts'
import { byWeight } from '../resources/entity.ts'
import type { ResourceStore } from '../resources/store.ts'
import { logScope } from '../ws/log-sockets.ts'
import type { Routes } from './openapi.ts'

/** How long a call waits for hosts, in ms. */
const wait = { usual: 10_000, most: 15_000 }
const longestRunName = 128

/** A resource whose records live on hosts. */
export type HostResource = Resource & { readonly host: HostSource }

/** Those of the registry. */
export const hostResources = (resources: readonly Resource[]): readonly HostResource[] =>
  resources.filter((resource): resource is HostResource => resource.host !== null)

/** What the routes work with. */
export type HostParts = Pick<
  Container,
  'kept' | 'settings' | 'clock' | 'servers' | 'audit' | 'runs' | 'hostReadings' | 'logReadings' | 'watchedHosts'
> & {
  stepUp: StepUp
  stores: readonly ResourceStore[]
  kinds: readonly HostResource[]
}

type QueryParts = Pick<HostParts, 'kept' | 'clock' | 'servers' | 'stores' | 'watchedHosts'>

/** Finds the servers that the caller may read and a query selects. Errors: `invalid`. */
function createServerQuery({ kept, clock, servers, stores, watchedHosts }: QueryParts) {
  /** What a query over servers looks at: their records, and others that this viewer may see. */
  function viewFor(viewer: Viewer, rows: readonly AnyRow[]): View {
    const rowsOf = (name: string): readonly AnyRow[] => {
      const records = kept.find(({ resource }) => resource.name === name)?.records.all() ?? []
      return records.filter((row) => owns(viewer, row)).map((row) => ({ ...row }))
    }
    return viewOf({ rowsOf, servers: () => rows, now: clock.now() })
  }

  /** The servers in the order of their list. */
  const idsOf = (rows: readonly Parameters<typeof byWeight>[0][]) => [...rows].sort(byWeight).map(({ id }) => id)

  return async function serversOf(caller: Caller, on: string): Promise<number[]> {
    const { selection } = readSelection(server, { name: 'on', text: on })
    const own = servers.all().filter((row) => ownsServer(caller.viewer, row))
    if (on.trim() === '') return idsOf(own)
    const asked = selectedFields(selection).filter(isHostMetric)
    if (asked.length > 0) await watchedHosts.ask(asked, idsOf(own), wait.usual)
    // The query needs records of the servers, the call no scope for them. Its route demands those to look into hosts.
    const viewer = { ...caller.viewer, scopes: null }
    const store = stores.find(({ resource }) => resource === server)
    const listed = await store?.list({ ...caller, viewer }, new URLSearchParams())
    if (!listed || typeof listed === 'string') return []
    const rows: AnyRow[] = [...listed.items].flatMap((text) => server.read.safeParse(JSON.parse(text)).data ?? [])
    const found = rows.filter(predicateOf(selection, server, viewFor(viewer, rows)))
    return idsOf(found.flatMap(({ id }) => servers.find(id) ?? []))
  }
}

/** How long a poll takes the servers that its query selected, in ms. */
const selectedMs = 5_000
const maxSelected = 200

/** Remembers what a caller’s query selected: a client that polls asks again each few seconds. */
function createSelections(parts: QueryParts) {
  const { clock, servers } = parts
  const serversOf = createServerQuery(parts)
  const known = new Map<string, { at: number; ids: readonly number[] }>()
  return async (caller: Caller, on: string, isPoll: boolean): Promise<readonly number[]> => {
    const { id, servers: only } = caller.viewer
    const key = JSON.stringify([id, only, on])
    const before = known.get(key)
    if (isPoll && before && clock.now() - before.at < selectedMs)
      return before.ids.filter((one) => ownServer(servers, caller.viewer, one))
    const ids = await serversOf(caller, on)
    known.delete(key)
    known.set(key, { at: clock.now(), ids })
    for (const [oldest] of known) if (known.size > maxSelected) known.delete(oldest)
    return ids
  }
}

/** Whether hosts may be looked into. Errors: those of `demandFor`, `forbidden`. */
function demandHosts(settings: HostParts['settings'], { viewer }: Caller, scope: string | null) {
  demandFor(settings, viewer, server, { audience: 'user', scope })
  if (!seesHosts(settings, viewer)) throw new AppError('forbidden')
}

/** Reads of records that live on hosts, by path. Source: docs/reference/host-resources.md. */
export function createHostReads(parts: HostParts): Routes {
  const { settings, hostReadings, watchedHosts, kinds } = parts
  const serversOf = createSelections(parts)

  const readOf = (kind: HostResource): Routes[string] => ({
    about: {
      id: `${kind.name}.list`,
      tag: kind.name,
      summary: 'Read records from hosts, with the state of each host',
      scope: kind.scopes.read,
      query: ['on', 'wait', 'since', 'same'],
      data: z.object({
        cursor: z.int(),
        servers: z.array(z.int()),
        hosts: z.array(
          z.object({
            server_id: z.int(),
            state: z.enum(hostStates),
            at: z.string().nullable(),
            error: z.string().optional(),
            left: z.int().optional(),
            rows: z.array(z.object()).optional(),
          }),
        ),
      }),
    },
    async answer(context) {
      const caller = context.get('caller')
      demandHosts(settings, caller, kind.scopes.read)
      const waitMs = Math.min(wait.most, readNumber(context, 'wait', wait.usual))
      const since = readNumber(context, 'since', 0)
      const ids = await serversOf(caller, context.req.query('on') ?? '', since > 0)
      const { cursor, hosts } = await hostReadings.read(kind, ids, {
        ...{ since, waitMs, omitsSame: context.req.query('same') === 'omit' },
      })
      const mayRun = allowed(caller.viewer, { audience: kind.audience.write, scope: kind.scopes.write })
      const answered = hosts.map((reading) => textOf(reading, mayRun ? reading.rows : reading.openRows))
      const text = `{"cursor":${cursor},"servers":[${ids.join(',')}],"hosts":[${answered.join(',')}]}`
      return packed(context, envelope(text))
    },
  })
  return {
    ...Object.fromEntries(kinds.map((kind) => [`/${kind.wire.path}`, readOf(kind)])),
    '/host/metrics': {
      about: {
        id: 'hosts.metrics',
        tag: 'server',
        summary: 'Have metrics of hosts read for the next five minutes',
        scope: historyScope,
        query: ['metric', 'on', 'wait'],
        data: z.array(z.object({ server_id: z.int() }).catchall(z.union([z.number(), z.string()]))),
      },
      async answer(context) {
        const caller = context.get('caller')
        demandHosts(settings, caller, historyScope)
        const metrics = [...new Set((context.req.query('metric') ?? '').split(','))]
        if (!metrics.every(isHostMetric)) throw wrong('metric', 'wrong', { text: hostMetricNames.join(', ') })
        const ids = await serversOf(caller, context.req.query('on') ?? '', false)
        await watchedHosts.ask(metrics, ids, Math.min(wait.most, readNumber(context, 'wait', wait.usual)))
        return ok(envelope(dataText(ids.map((id) => ({ server_id: id, ...watchedHosts.of(id) })))))
      },
    },
  }
}

/** Opens readings of logs, for `/ws/logs/{session_id}`. Source: docs/reference/host-resources.md. */
export function createHostLogs(parts: HostParts): Routes {
  const { settings, servers, audit, logReadings } = parts
  const serversOf = createServerQuery(parts)
  return {
    '/host/logs': {
      about: {
        id: 'logs.open',
        tag: 'server',
        summary: 'Read log lines from hosts, over a websocket',
        scope: logScope,
        body: z.object({
          on: z.string().optional(),
          ...Object.fromEntries(logSources.map((source) => [source, z.string().optional()])),
          since: z.int().nullable().optional(),
          lines: z.int().optional(),
          follow: z.boolean().optional(),
          grep: z.string().optional(),
        }),
        data: z.object({
          session_id: z.string(),
          hosts: z.array(z.object({ server_id: z.int(), name: z.string() })),
        }),
      },
      async answer(context) {
        const caller = context.get('caller')
        demandHosts(settings, caller, logScope)
        const { on = '', ...asked } = readObject(await readBody(context))
        if (typeof on !== 'string') throw wrong('on')
        const request = parseLogRequest(asked)
        if ('wrong' in request) throw wrong(request.wrong)
        const own = (await serversOf(caller, on)).flatMap((id) => ownServer(servers, caller.viewer, id) ?? [])
        if (own.length > logLimits.hosts) throw wrong('on', 'tooManyItems', { maximum: logLimits.hosts })
        const session_id = logReadings.open(
          caller,
          own.map(({ id }) => id),
          request,
        )
        const named = logSources.flatMap((source) => (request[source] ? `${source} ${request[source]}` : []))
        const target = [...own.map(({ id }) => id), ...named].join(' ')
        const names = own.map(({ name }) => name).join(', ')
        audit.record({ caller, action: 'logs open', target: target.slice(0, 1000), names, result: 'ok' })
        return ok(envelope(dataText({ session_id, hosts: own.map(({ id, name }) => ({ server_id: id, name })) })))
      },
    },
  }
}

const wrong = (field: string, code: Problem['code'] = 'wrong', params: NonNullable<Problem['params']> = {}) =>
  new AppError('invalid', {}, { problems: [{ field, code, params }] })

/** Actions on records that live on hosts, by path: each is a run of the ledger. A foreign server answers as an unknown one. */
export function createHostActions({ settings, servers, audit, runs, stepUp, kinds, hostReadings }: HostParts): Routes {
  /** Refuses what a host has just said to be impossible, as clients do: one without systemd can’t restart a unit. Errors: `invalid`. */
  async function demandPossible(kind: HostResource, action: Action, byServer: ReadonlyMap<number, readonly string[]>) {
    if (action.blocked.every(({ already }) => already)) return
    for (const [id, listed] of byServer) {
      const names = new Set(listed)
      const rows = JSON.parse(hostReadings.fresh(kind, id) ?? '[]') as AnyRow[]
      for (const row of rows.filter((one) => names.has(hostNameOf(one)))) {
        const found = action.blocked.find(({ when }) => holds(when, row))
        if (!found || found.already) continue
        const { say } = await english()
        throw refused('wrong', { ids: [id] }, `${row.name}: ${say(textKey.reason(kind.name, found.reason))}`)
      }
    }
  }

  const actOf = (kind: HostResource, action: Action): Routes[string] => ({
    about: {
      id: `${kind.name}.${action.name}`,
      tag: kind.name,
      summary: `Run the action ${action.name} on records of hosts`,
      scope: action.scope,
      body: z.object({
        targets: z.array(z.object({ server_id: z.int(), name: z.string() })),
        ...Object.fromEntries(
          Object.entries(action.args?.input.shape ?? {}).map(([name, of]) => [name, z.optional(of)]),
        ),
      }),
      data: z.object({ run_id: z.int(), success: z.array(z.int()).optional(), offline: z.array(z.int()).optional() }),
    },
    async answer(context) {
      const caller = context.get('caller')
      const { viewer } = caller
      demandFor(settings, viewer, server, { audience: 'user', scope: action.scope })
      if (action.stepUp) stepUp.demand(caller)
      const { targets, ...args } = readObject(await readBody(context))
      const byServer = readTargets(targets)
      const checked = readArgs(action, args)
      const ids = [...byServer.keys()]
      const mine = ids.flatMap((id) => ownServer(servers, viewer, id) ?? [])
      const foreign = ids.filter((id) => !mine.some((row) => row.id === id))
      if (foreign.length > 0) throw refused('unknownReference', { ids: foreign }, texts.permission)
      await demandPossible(kind, action, byServer)
      const commandOf = await kind.host.commands()
      const programs = new Map(
        [...byServer].map(([id, names]) => {
          const program = commandOf(action.name, names, checked)
          if (!program) throw new AppError('noRoute')
          return [id, program] as const
        }),
      )
      const lines = new Set([...programs.values()].map(commandLineOf))
      const command = [...lines].join('\n')
      if (command.length > longestCommand) throw refused('tooLong', { maximum: longestCommand })
      const names = new Set([...byServer.values()].flat())
      const { canary = 0, batch = 0, soak = 0, max_failures = 0 } = checked as Partial<RolloutPlan>
      const isRollout = canary > 0 || batch > 0
      const order: RunOrder = {
        ownerId: viewer.id as number,
        by: viewer.username,
        targets: { mode: 'only', servers: ids },
        kind: 'exec',
        name: `${action.name} ${[...names].join(' ')}`.slice(0, longestRunName),
        command,
        programs,
        ...(!kind.host.long?.includes(action.name) && { deadlineMs: programSeconds * 1000 + answerWithinMs }),
        rollout: isRollout ? { canary, batch, soak, max_failures } : null,
      }
      const { runId, sent, offline } = await runs.start(order, (db) =>
        audit.write(db, {
          caller,
          action: `${kind.name} ${action.name}`,
          target: ids.map((id) => `${id} ${byServer.get(id)!.join(' ')}`).join(', '),
          names: mine.map(({ name }) => name).join(', '),
          result: 'ok',
        }),
      )
      return ok(
        envelope(
          dataText({
            run_id: runId,
            ...(sent.length > 0 && { success: sent }),
            ...(offline.length > 0 && { offline }),
          }),
        ),
      )
    },
  })
  return Object.fromEntries(
    kinds.flatMap((kind) =>
      Object.values(kind.actions)
        // A shell is opened as any terminal.
        .filter(({ wire, opens }) => wire?.method === 'POST' && opens === null)
        .map((action) => [`/${action.wire!.path}`, actOf(kind, action)] as const),
    ),
  )
}

function textOf({ serverId, state, at, error, left }: HostReading, rows: string): string {
  const about = JSON.stringify({
    server_id: serverId,
    state,
    at: at === null ? null : new Date(at).toISOString(),
    ...(error !== '' && { error }),
    ...(left > 0 && { left }),
  })
  return state === 'read' && rows !== '' ? `${about.slice(0, -1)},"rows":${rows}}` : about
}

const english = lazy(async () =>
  createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } }),
)

const refused = (code: Problem['code'], params: NonNullable<Problem['params']> = {}, text?: string) =>
  new AppError('invalid', text === undefined ? {} : { text }, { problems: [{ field: 'targets', code, params }] })

const target = z.object({ server_id: z.int().min(1), name: hostRowName() })

/** Names by server, each once, in the order of the call. Errors: `invalid`. */
function readTargets(named: unknown): ReadonlyMap<number, string[]> {
  const list = named ?? []
  if (!Array.isArray(list) || list.length > maxHostTargets) throw refused('tooManyItems', { maximum: maxHostTargets })
  if (list.length === 0) throw refused('required')
  const byServer = new Map<number, Set<string>>()
  for (const one of list) {
    const { data } = target.safeParse(one)
    if (!data) throw refused('wrong')
    byServer.set(data.server_id, (byServer.get(data.server_id) ?? new Set()).add(data.name))
  }
  return new Map([...byServer].map(([id, names]) => [id, [...names]]))
}
