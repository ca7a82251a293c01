import type { Client, Records } from '../api/index.ts'
import type { Audience, Viewer } from '../define/index.ts'
import type { Translator } from '../i18n/index.ts'

/** A JSON object whose keys are not of our choosing. */
export type Json = Readonly<Record<string, unknown>>

/** Who calls a tool, and what it works with: the API as that person, and the records it has read. */
export interface ToolCaller {
  readonly client: Pick<Client, 'send'>
  readonly viewer: Viewer
  /** The API token that speaks for the viewer; null for a session. */
  readonly token: { readonly id: number | null; readonly name: string } | null
  readonly records: Records
  readonly translator: Translator
  /** True when the server announced the capability. */
  supports(capability: string): boolean
  /** Epoch ms. */
  now(): number
  pause(ms: number): Promise<void>
}

/** Something that a program calls by name, with arguments of a schema: one thing that can be done here. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema of its arguments, an object. */
  readonly inputSchema: Json
  /** The same of its answer, where it is always of one shape. */
  readonly outputSchema?: Json
  /** What an API token needs for it; null: any. */
  readonly scope: string | null
  readonly audience: Audience
  readonly isReading: boolean
  /** What it takes away cannot be had back. */
  readonly isFinal: boolean
  /** Errors: AppError. */
  call(caller: ToolCaller, args: Json): Promise<Json>
}

/** JSON Schema of an object with these properties. */
export function objectOf(properties: Json, required: readonly string[] = []): Json {
  return { properties, ...(required.length > 0 && { required }), type: 'object' }
}
