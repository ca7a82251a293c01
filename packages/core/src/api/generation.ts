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

/**
 * A moved call goes out as POST; only when the server says that it has no such route, and its version is not known to have it,
 * the call is repeated as GET, once, and the method is remembered. `version` answers "" where the server keeps it to itself.
 */
export function createGeneration(version: () => Promise<string>): Generation {
  const olds = new Set<Moved>()
  const asGet = ({ path, query }: Call): Call => ({ method: 'GET', path, ...(query ? { query } : {}) })
  return async (call, send) => {
    const move = call.method === 'POST' ? moved.find(({ path }) => path.test(call.path)) : undefined
    if (!move) return send(call)
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

/** True when a version text is known and not older. A text without three numbers is an unknown one. */
function isSince(version: string, since: readonly [number, number, number]): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  if (!parts) return false
  const at = since.findIndex((number, index) => parts[index] !== number)
  return at === -1 || parts[at]! > since[at]!
}
