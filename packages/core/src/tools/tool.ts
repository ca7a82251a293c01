import type { Client, Records } from '../api/index.ts'
import type { Audience, Viewer } from '../define/index.ts'
import type { Translator } from '../i18n/index.ts'

export type Json = Readonly<Record<string, unknown>>

/** A caller’s API, permissions and records. */
export interface ToolCaller {
  readonly client: Pick<Client, 'send'>
  readonly viewer: Viewer
  /** Null for a session. */
  readonly token: { readonly id: number | null; readonly name: string } | null
  readonly records: Records
  readonly translator: Translator
  supports(capability: string): boolean
  /** Epoch ms. */
  now(): number
  pause(ms: number): Promise<void>
}

export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Json
  /** Absent if the result’s shape varies. */
  readonly outputSchema?: Json
  /** Required scope of an API token; null: none. */
  readonly scope: string | null
  readonly audience: Audience
  readonly isReading: boolean
  /** Can’t be undone. */
  readonly isFinal: boolean
  /** Errors: AppError. */
  call(caller: ToolCaller, args: Json): Promise<Json>
}

export function objectOf(properties: Json, required: readonly string[] = []): Json {
  return { properties, ...(required.length > 0 && { required }), type: 'object' }
}
