import {
  type Action,
  type AnyRow,
  type HostSource,
  hostStates,
  type Resource,
  Role,
  type View,
  type Viewer,
} from '@qd/core/define'
import { AppError, type Problem } from '@qd/core/errors'
import { hostRowName, maxHostTargets, server } from '@qd/core/resources'
import { longestCommand } from '@qd/core/schemas'
import { predicateOf } from '@qd/core/targets'
import * as z from 'zod'
import type { StepUp } from '../../access/step-up.ts'
import { viewOf } from '../../act/following.ts'
import type { HostReading } from '../../act/hosts/readings.ts'
import { answerWithinMs } from '../../act/runs/evidence.ts'
import { commandLineOf, programSeconds } from '../../act/runs/program.ts'
import type { RolloutPlan } from '../../act/runs/rollout.ts'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { readArgs, readObject } from '../../store/records/input.ts'
import { readSelection } from '../../store/records/pages.ts'
import { demandFor, owns, ownsServer } from '../../store/records/rights.ts'
import type { Container } from '../container.ts'
import { createAnswerCache, dataText, envelope, ok } from '../http/answer.ts'
import { readBody, readNumber } from '../http/request.ts'
import type { ResourceStore } from '../resources/store.ts'
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
  'kept' | 'settings' | 'clock' | 'servers' | 'audit' | 'runs' | 'hostReadings'
> & {
  stepUp: StepUp
  stores: readonly ResourceStore[]
  kinds: readonly HostResource[]
}

/** Reads of records that live on hosts, by path. Source: docs/reference/host-resources.md. */
export function createHostReads({ kept, settings, clock, servers, hostReadings, stores, kinds }: HostParts): Routes {
  const answers = createAnswerCache(0)

  /** What a query over servers looks at: their records, and others that this viewer may see. */
  function viewFor(viewer: Viewer, rows: readonly AnyRow[]): View {
    const rowsOf = (name: string): readonly AnyRow[] => {
      const records = kept.find(({ resource }) => resource.name === name)?.records.all() ?? []
      return records.filter((row) => owns(viewer, row)).map((row) => ({ ...row }))
    }
    return viewOf({ rowsOf, servers: () => rows, now: clock.now() })
  }

  /** The servers that the caller may read and the query `on` selects. */
  async function serversOf(caller: Caller, on: string): Promise<number[]> {
    const { selection } = readSelection(server, { name: 'on', text: on })
    if (on.trim() === '') return servers.all().flatMap((row) => (ownsServer(caller.viewer, row) ? row.id : []))
    // The query needs records of the servers, the call no scope for them.
    const viewer = { ...caller.viewer, scopes: null }
    const store = stores.find(({ resource }) => resource === server)
    const found = await store?.list({ ...caller, viewer }, new URLSearchParams())
    if (!found || typeof found === 'string') return []
    const rows: AnyRow[] = [...found.items].flatMap((text) => server.read.safeParse(JSON.parse(text)).data ?? [])
    return rows.filter(predicateOf(selection, server, viewFor(viewer, rows))).map(({ id }) => id)
  }

  const readOf = (kind: HostResource): Routes[string] => ({
    about: {
      id: `${kind.name}.list`,
      tag: kind.name,
      summary: 'Read records from hosts, with the state of each host',
      scope: kind.scopes.read,
      query: ['on', 'wait', 'since'],
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
      demandFor(settings, caller.viewer, server, { audience: 'user', scope: kind.scopes.read })
      if (caller.viewer.role !== Role.admin && !settings.get().members_see_hosts) throw new AppError('forbidden')
      const waitMs = Math.min(wait.most, readNumber(context, 'wait', wait.usual))
      const since = readNumber(context, 'since', 0)
      const ids = await serversOf(caller, context.req.query('on') ?? '')
      const { cursor, hosts } = await hostReadings.read(kind, ids, { since, waitMs })
      return answers.answer('', {
        version: null,
        brotli: /\bbr\b/.test(context.req.header('Accept-Encoding') ?? ''),
        make: async () => [
          envelope(`{"cursor":${cursor},"servers":[${ids.join(',')}],"hosts":[${hosts.map(textOf).join(',')}]}`),
        ],
      })
    },
  })
  return Object.fromEntries(kinds.map((kind) => [`/${kind.wire.path}`, readOf(kind)]))
}

/** Actions on records that live on hosts, by path: each is a run of the ledger. A foreign server answers as an unknown one. */
export function createHostActions({ settings, servers, audit, runs, stepUp, kinds }: HostParts): Routes {
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
      const plan = readArgs(action, args) as Partial<RolloutPlan>
      const ids = [...byServer.keys()]
      const mine = ids.flatMap((id) => servers.find(id) ?? []).filter((row) => ownsServer(viewer, row))
      const foreign = ids.filter((id) => !mine.some((row) => row.id === id))
      if (foreign.length > 0) throw refused('unknownReference', { ids: foreign }, texts.permission)
      const programs = new Map(
        [...byServer].map(([id, names]) => {
          const program = kind.host.command(action.name, names)
          if (!program) throw new AppError('noRoute')
          return [id, program] as const
        }),
      )
      const lines = new Set([...programs.values()].map(commandLineOf))
      const command = [...lines].join('\n')
      if (command.length > longestCommand) throw refused('tooLong', { maximum: longestCommand })
      const names = new Set([...byServer.values()].flat())
      const { canary = 0, batch = 0, soak = 0, max_failures = 0 } = plan
      const isRollout = canary > 0 || batch > 0
      const { runId, sent, offline } = await runs.start({
        ownerId: viewer.id as number,
        by: viewer.username,
        targets: { mode: 'only', servers: ids },
        kind: 'exec',
        name: `${action.name} ${[...names].join(' ')}`.slice(0, longestRunName),
        command,
        programs,
        ...(!kind.host.long?.includes(action.name) && { deadlineMs: programSeconds * 1000 + answerWithinMs }),
        rollout: isRollout ? { canary, batch, soak, max_failures } : null,
      })
      const target = ids.map((id) => `${id} ${byServer.get(id)!.join(' ')}`).join(', ')
      audit.record({
        caller,
        action: `${kind.name} ${action.name}`,
        target: target.slice(0, 1000),
        names: mine.map(({ name }) => name).join(', '),
        result: 'ok',
      })
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

function textOf({ serverId, state, at, error, left, rows }: HostReading): string {
  const about = JSON.stringify({
    server_id: serverId,
    state,
    at: at === null ? null : new Date(at).toISOString(),
    ...(error !== '' && { error }),
    ...(left > 0 && { left }),
  })
  return state === 'read' ? `${about.slice(0, -1)},"rows":${rows}}` : about
}

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
