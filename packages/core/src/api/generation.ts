import type { Call } from '../define/index.ts'
import { toAppError } from '../errors/index.ts'

/** A call whose method changed: older servers know it as GET. Source: contract http-api 10, rows 1 to 3. */
interface Moved {
  path: RegExp
  /** First version that has POST. */
  since: readonly [number, number, number]
}

const moved: readonly Moved[] = [
  { path: /^refresh-token$/, since: [2, 1, 0] },
  { path: /^file$/, since: [2, 0, 14] },
  { path: /^cron\/\d+\/manual$/, since: [2, 0, 14] },
]

/** Sends a call with the HTTP method that this server understands. */
export type Generation = (call: Call, send: (call: Call) => Promise<unknown>) => Promise<unknown>

/** A field that has another name, and often the opposite sense, on older servers. `newer` tells by a row of the list which one this server knows. */
interface Renamed {
  list: string
  write: RegExp
  names: { older: string; newer: string }
  isNewer(row: object): boolean
}

/** Source: contract http-api 10, row 16; both names came into the form at once, so `display_index` tells the one from the other. */
const renamed: readonly Renamed[] = [
  {
    list: 'service/list',
    write: /^service(\/\d+)?$/,
    names: { older: 'enable_show_in_service', newer: 'hide_for_guest' },
    isNewer: (row) => 'display_index' in row,
  },
]

/**
 * A moved call goes out as POST; only when the server says that it has no such route, and its version is not known to have it,
 * the call is repeated as GET, once, and the method is remembered. `version` answers "" where the server keeps it to itself.
 */
export function createGeneration(version: () => Promise<string>): Generation {
  const olds = new Set<Moved>()
  /** Names that this server does not know. */
  const unknown = new Map<Renamed, string>()
  const learn = (path: string, data: unknown) => {
    const rename = renamed.find(({ list }) => list === path)
    const [row] = Array.isArray(data) ? (data as unknown[]) : []
    if (!rename || typeof row !== 'object' || row === null) return
    unknown.set(rename, rename.isNewer(row) ? rename.names.older : rename.names.newer)
  }
  /** As long as no record told which name this server knows, both go: each server leaves out what it does not know. */
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

/** Lists that not every existing dashboard has; who has the list has what goes with it. Source: contract http-api 10, rows 13, 14, 16 and 20. */
const laterLists = {
  transfer: ['transfers'],
  'api-tokens': ['api-tokens', 'host-names', 'mcp', 'service-order'],
} as const

/** What every dashboard tells, an existing one in a way of its own. */
const always = ['service-results'] as const

/** What a server announced that announces at all, which is ours: it had these before it said so. */
export function announcedCapabilities(told: readonly string[]): readonly string[] {
  return [...new Set([...told, ...always, ...laterLists['api-tokens'], ...laterLists.transfer])]
}

/** What an existing dashboard can do, which announces nothing, in the words of our servers. Whoever may not read a list still learns that it is there. */
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

/** True when a version text is known and not older. A text without three numbers is an unknown one. */
function isSince(version: string, since: readonly [number, number, number]): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  if (!parts) return false
  const at = since.findIndex((number, index) => parts[index] !== number)
  return at === -1 || (parts[at] ?? 0) > (since[at] ?? 0)
}
