import type { Resource, View, Viewer } from '@qd/core/define'
import { hostStates } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { server } from '@qd/core/resources'
import { predicateOf } from '@qd/core/targets'
import * as z from 'zod'
import { viewOf } from '../../act/following.ts'
import type { HostReading, HostReadings } from '../../act/hosts/readings.ts'
import type { Base } from '../../base.ts'
import type { Caller } from '../../kernel/caller.ts'
import { readSelection } from '../../store/records/pages.ts'
import { demandFor, owns } from '../../store/records/rights.ts'
import { createAnswerCache, envelope } from '../http/answer.ts'
import type { HttpContext } from '../http/request.ts'
import type { ResourceStore } from '../resources/store.ts'
import type { Routes } from './openapi.ts'

/** How long a call waits for hosts, in ms. */
const wait = { usual: 10_000, most: 15_000 }

/** A resource whose records live on hosts. */
export type HostResource = Resource & { readonly host: NonNullable<Resource['host']> }

/** Those of the registry. */
export const hostResources = (resources: readonly Resource[]): readonly HostResource[] =>
  resources.filter((resource): resource is HostResource => resource.host !== null)

/** Reads records of hosts. Source: contract http-api 3.24. */
export function createHostReads(
  { kept, settings, clock }: Pick<Base, 'kept' | 'settings' | 'clock'>,
  parts: { hostReadings: HostReadings; stores: readonly ResourceStore[]; kinds: readonly HostResource[] },
): Routes {
  const { hostReadings, stores, kinds } = parts
  const answers = createAnswerCache(0)

  /** The servers that the caller may read and the query `on` selects. */
  async function serversOf(caller: Caller, on: string): Promise<number[]> {
    const { selection } = readSelection(server, { name: 'on', text: on })
    const found = await stores.find(({ resource }) => resource === server)!.list(caller, new URLSearchParams())
    if (found === null || typeof found === 'string') return []
    const rows = [...found.items].map((text) => server.read.parse(JSON.parse(text)))
    return rows.filter(predicateOf(selection, server, viewFor(caller.viewer, rows))).map(({ id }) => id)
  }

  /** What a query over servers looks at: their records, and the others that this viewer may see. */
  function viewFor(viewer: Viewer, servers: readonly (typeof server.read)['_output'][]): View {
    const rowsOf = (name: string) =>
      kept
        .find(({ resource }) => resource.name === name)
        ?.records.all()
        .filter((row) => owns(viewer, row)) ?? []
    return viewOf({ rowsOf, servers: () => servers, now: clock.now() })
  }

  return {
    '/host/:kind': {
      about: {
        id: 'host.list',
        tag: 'server',
        summary: 'Records that live on hosts, such as units: read now, or up to a few seconds ago',
        scope: server.scopes.read,
        query: ['on', 'wait', 'since'],
        data: z.object({
          cursor: z.int(),
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
        demandFor(settings, caller.viewer, server, { audience: 'user', scope: server.scopes.read })
        const kind = kinds.find(({ name }) => name === context.req.param('kind'))
        if (!kind) throw new AppError('noRoute')
        const waitMs = Math.min(wait.most, readNumber(context, 'wait', wait.usual))
        const since = readNumber(context, 'since', 0)
        const servers = await serversOf(caller, context.req.query('on') ?? '')
        const { cursor, hosts } = await hostReadings.read(kind, servers, { since, waitMs })
        return answers.answer('', {
          version: null,
          brotli: /\bbr\b/.test(context.req.header('Accept-Encoding') ?? ''),
          make: async () => [envelope(`{"cursor":${cursor},"hosts":[${hosts.map(textOf).join(',')}]}`)],
        })
      },
    },
  }
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

/** Errors: `invalid`. */
function readNumber(context: HttpContext, name: string, otherwise: number): number {
  const text = context.req.query(name) ?? ''
  if (text === '') return otherwise
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(value)) throw new AppError('invalid', { text: `invalid ${name}` })
  return value
}
