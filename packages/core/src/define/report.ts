import type { Format, Translator } from '../i18n/index.ts'
import type { Values } from './form-shape.ts'
import type { Tone } from './names.ts'
import type { View } from './row.ts'
import type { Call } from './wire.ts'

export interface SayContext {
  readonly translator: Translator
  readonly format: Format
  readonly view: View
}

export interface ReportLine {
  readonly text: string
  readonly tone: Tone
}

export type Report = (context: SayContext) => readonly ReportLine[]

/** A check of typed values by the server before they are saved; labeled `resources.<name>.serverChecks.<check>`. */
export interface ServerCheck {
  /** `typed`: whenever typing pauses; `asked`: on request. */
  readonly when: 'typed' | 'asked'
  /** A required capability; without it the check is disabled. */
  readonly capability: string
  /** `values` are valid; `id` is the edited record’s, `server` the one chosen for examples. */
  call(values: Values, id: number | null, server?: number | null): Call
  report(answer: unknown): Report
}
