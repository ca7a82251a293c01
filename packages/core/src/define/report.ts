import type { Format, Translator } from '../i18n/index.ts'
import type { Values } from './form-shape.ts'
import type { Tone } from './names.ts'
import type { View } from './row.ts'
import type { Call } from './wire.ts'

/** What texts about an answer or about typed values are made with. */
export interface SayContext {
  readonly translator: Translator
  readonly format: Format
  readonly view: View
}

export interface ReportLine {
  readonly text: string
  readonly tone: Tone
}

/** Makes the lines of something to read, in a person's language. Pure. */
export type Report = (context: SayContext) => readonly ReportLine[]

/** What can be asked of the server about values as typed, before they are saved; its label is at `resources.<name>.trials.<trial>`. */
export interface Trial {
  /** `typed`: asked again whenever the values come to rest; `asked`: only when somebody wants it. */
  readonly when: 'typed' | 'asked'
  /** What the server must announce for it, else it is grey with that reason. */
  readonly capability: string
  /** The call for these valid values; `id` is that of the record being edited, `server` the one that examples are about, where somebody chose. Pure. */
  call(values: Values, id: number | null, server?: number | null): Call
  report(answer: unknown): Report
}
