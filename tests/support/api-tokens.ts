import { type Answer, type Browser, createBrowser } from './browser.ts'
import type { World } from './world.ts'

/** A script with an API token. */
export interface Script {
  id: number
  token: string
  /** For websockets. */
  headers: { Authorization: string }
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** Makes a token of a signed-in caller, and the script that has it. */
export async function createScript(
  world: World,
  owner: Browser,
  input: { scopes: readonly string[]; server_ids?: readonly number[]; expires_in_days?: number },
): Promise<Script> {
  const { id, token } = (await owner.api('POST', 'api-tokens', { name: 'script', ...input })) as {
    id: number
    token: string
  }
  const headers = { Authorization: `Bearer ${token}` }
  const caller = createBrowser(world.origin)
  return {
    id,
    token,
    headers,
    send: (method, path, body, more = {}) =>
      caller.send(method, `/api/v1/${path}`, { bare: true, headers: { ...headers, ...more }, body }),
  }
}
