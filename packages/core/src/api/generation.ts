import type { Call } from '../define/index.ts'
import { toAppError } from '../errors.ts'

/** A call whose method changed from GET. Source: contract http-api 10, rows 1 to 3. */
interface Moved {
  path: RegExp
  /** First version with POST. */
  since: readonly [number, number, number]
}

const moved: readonly Moved[] = [
  { path: /^refresh-token$/, since: [2, 1, 0] },
  { path: /^file$/, since: [2, 0, 14] },
  { path: /^cron\/\d+\/manual$/, since: [2, 0, 14] },
]

export type Generation = (call: Call, send: (call: Call) => Promise<unknown>) => Promise<unknown>

/** A field that has another name, and often the opposite sense, on older servers. A row of the list shows which name the server has. */
interface Renamed {
  list: string
  write: RegExp
  names: { older: string; newer: string }
  isNewer(row: object): boolean
}

/** Source: contract http-api 10, row 16; `display_index` came with the new name. */
const renamed: readonly Renamed[] = [
  {
    list: 'service/list',
    write: /^service(\/\d+)?$/,
    names: { older: 'enable_show_in_service', newer: 'hide_for_guest' },
    isNewer: (row) => 'display_index' in row,
  },
]

/**
 * Sends a changed call as POST. If the server has no such route and its version isn’t known to have it, repeats the call as GET once and
 * remembers that. `version` returns "" if unknown.
 */
export function createGeneration(version: () => Promise<string>): Generation {
  const olds = new Set<Moved>()
  const unknown = new Map<Renamed, string>()
  const learn = (path: string, data: unknown) => {
    const rename = renamed.find(({ list }) => list === path)
    const [row] = Array.isArray(data) ? (data as unknown[]) : []
    if (!rename || typeof row !== 'object' || row === null) return
    unknown.set(rename, rename.isNewer(row) ? rename.names.older : rename.names.newer)
  }
  /** Until a record shows which name the server has, both are sent: each server ignores unknown fields. */
  const spelled = (call: Call): Call => {
    const rename = call.method === 'GET' ? undefined : renamed.find(({ write }) => write.test(call.path))
    const name = rename && unknown.get(rename)
    if (name === undefined || typeof call.body !== 'object' || call.body === null) return call
    const { [name]: _unknown, ...body } = call.body as Record<string, unknown>
    return { ...call, body }
  }
  const asGet = ({ path, query }: Call): Call => ({
    method: 'GET',
    path,
    once: true,
    ...(query ? { query } : {}),
  })
  return async (call, send) => {
    const move = call.method === 'POST' ? moved.find(({ path }) => path.test(call.path)) : undefined
    if (!move) {
      const data = await send(spelled(call))
      learn(call.path, data)
      return data
    }
    if (olds.has(move)) return send(asGet(call))
    try {
      return await send(call)
    } catch (thrown) {
      if (toAppError(thrown).code !== 'noRoute' || isSince(await version(), move.since)) throw thrown
      const data = await send(asGet(call))
      olds.add(move)
      return data
    }
  }
}

/** Lists that only later versions of Nezha have, and the capabilities that came with them. Source: contract http-api 10, rows 13, 14, 16 and 20. */
const laterLists = {
  transfer: ['transfers'],
  'api-tokens': ['api-tokens', 'host-names', 'mcp', 'service-order'],
} as const

const always = ['service-results'] as const

/** Adds the capabilities that our servers had before they announced any. */
export function announcedCapabilities(announced: readonly string[]): readonly string[] {
  return [...new Set([...announced, ...always, ...laterLists['api-tokens'], ...laterLists.transfer])]
}

/** Probes what Nezha can do, in our servers’ terms. A list that the viewer may not read exists nevertheless. */
export async function foundCapabilities(read: (path: string) => Promise<unknown>): Promise<readonly string[]> {
  const found = await Promise.all(
    Object.entries(laterLists).map(async ([path, names]) => {
      try {
        await read(path)
      } catch (thrown) {
        const { code } = toAppError(thrown)
        if (code === 'noRoute') return []
        if (!['unauthorized', 'forbidden', 'tokenForbidden', 'failed'].includes(code)) throw thrown
      }
      return names
    }),
  )
  return [...always, ...found.flat()]
}

function isSince(version: string, since: readonly [number, number, number]): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  if (!parts) return false
  const at = since.findIndex((number, index) => parts[index] !== number)
  return at === -1 || (parts[at] ?? 0) > (since[at] ?? 0)
}
