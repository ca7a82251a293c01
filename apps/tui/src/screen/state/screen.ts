import type { KeyBinding, Layer, OpenFolder } from '@qd/core/actions'
import type { Cancel } from '@qd/core/api'
import type { Action, AnyRow, Resource } from '@qd/core/define'
import type { Translator } from '@qd/core/i18n'
import type { ComponentType } from 'react'
import type { KeyEvent } from '../terminal/keys.ts'
import type { Line } from '../terminal/line.ts'

export interface Area {
  readonly columns: number
  readonly rows: number
}

type HintName = Parameters<Translator['t']>[0] extends infer Key
  ? Key extends `ui.tui.hints.${infer Name}`
    ? Name
    : never
  : never
/** A word of `ui.tui.hints`, or another text. */
export type Hint = HintName | { readonly text: string }
/** By chord, as the key table spells it, in order. */
export type Hints = Readonly<Record<string, Hint>>

export const hintsIf = (isShown: unknown, hints: Hints): Hints => (isShown ? hints : {})

/** What a key does. With `hint`, it stands among the hints. */
type Key = (() => void) | { readonly hint: Hint; run(): void }
export type Keys = Readonly<Record<string, Key>>

export type Commands = Readonly<Record<string, () => void>>

export interface Keyed {
  readonly layer: Layer
  /** Draws it. What it shows is in observables and models, because keys of a chunk act before a frame is drawn. */
  readonly View: ComponentType
  isTyping?(): boolean
  /** What commands of the key table do. */
  readonly commands?: Commands
  /** Handles another one; false passes it to the program. */
  command?(binding: KeyBinding): boolean
  readonly keys?: Keys
  /** Handles what else is typed or pasted. */
  input?: ((event: KeyEvent) => void) | undefined
  /** `10G`: goes to a row, from 1, or the last. Default: steps from the first row. */
  goToRow?(number: number): void
  /** Focuses what is in a row of its own, from 0; false if nothing can be focused. */
  click?(row: number, column: number, area: Area): boolean
  scroll?(by: number): void
  /** The place for a screen reader (behaviour T-29). */
  spoken?(): readonly string[]
}

export interface Screen extends Keyed {
  /** Identity of a place; the same place keeps its position. */
  readonly key: string
  readonly resource: Resource | null
  hints(): Hints
  place(): readonly string[]
  count?(short: boolean): string
  /** At the right of the header: counts by state, or a form's changes. */
  summary?(short: boolean): Line
  /** Loads data while on screen. Returns the cleanup function. */
  enter(): Cancel
  /** Escape; false if there was nothing to close. */
  escape?(): boolean
  cliLine?(): string | null
  /** Has text to search with `n` and `N`. */
  searches?(): boolean
  /** A text to read: numbers count lines and don't open lists. */
  readonly isText?: true
  /** Rows are loading, and keys wait for them. */
  waits?(): boolean
  /** Part of it is loading; a screen reader waits for it. */
  comes?(): boolean
  unsaved?(): number
  /** Other state lost on quit, in words: selection, filter. */
  kept?(): readonly string[]
  /** Has the keys of lists, whatever its commands are. */
  readonly isList?: true
  /** The action that opened it; its key does nothing here. */
  ledHere?: Action
  /** For the palette; `open` opens an entry. */
  files?: { folder(): OpenFolder; open(name: string): void }
  /** Rows that actions would run on. */
  chosen?(): readonly AnyRow[]
}

export interface Overlay extends Keyed {
  closed?: (() => void) | undefined
  cliLine?(): string | null
  /** The word of Escape; null if it doesn’t close it. */
  readonly leaves?: Hint | null
}

/** The hints of a screen; of an overlay those of its keys. */
export function hintsOf(top: Screen | Overlay | null): readonly (readonly [chord: string, hint: Hint])[] {
  if (top === null) return []
  if ('hints' in top) return Object.entries(top.hints())
  const { keys = {}, cliLine, leaves = 'back' } = top
  const own = Object.entries(keys).flatMap(([chord, key]) => ('hint' in key ? [[chord, key.hint] as const] : []))
  const copies =
    cliLine && own.every(([chord, hint]) => chord !== 'Ctrl+y' && hint !== 'copyCli')
      ? ([['Ctrl+y', 'copyCli']] as const)
      : []
  return [...own, ...copies, ...(leaves ? [['Escape', leaves] as const] : [])]
}

export function hintText({ translator }: { readonly translator: Translator }, hint: Hint): string {
  return typeof hint === 'string' ? translator.t(`ui.tui.hints.${hint}`) : hint.text
}

/** False if the command is for the program. */
export function obey(top: Keyed | null, binding: KeyBinding): boolean {
  const run = top?.commands?.[binding.command]
  run?.()
  return run !== undefined || (top?.command?.(binding) ?? false)
}

export function takeKey({ keys, input }: Pick<Keyed, 'keys' | 'input'>, event: KeyEvent): void {
  const key = event.type === 'key' ? keys?.[event.chord] : undefined
  if (key) (typeof key === 'function' ? key : key.run)()
  else input?.(event)
}
