import type { KeyBinding, Layer, OpenFolder } from '@qd/core/actions'
import type { Cancel } from '@qd/core/api'
import type { Action, AnyRow, Resource } from '@qd/core/define'
import type { ComponentType } from 'react'
import type { KeyEvent } from '../terminal/keys.ts'
import type { Line } from '../terminal/line.ts'

export interface Area {
  readonly columns: number
  readonly rows: number
}

/** A key as the key table spells it, and its word. */
export interface Hint {
  readonly chord: string
  readonly label: string
}

interface Keyed {
  readonly layer: Layer
  /** Draws it. What it shows is in observables and models, because keys of a chunk act before a frame is drawn. */
  readonly View: ComponentType
  isTyping?(): boolean
  hints(): readonly Hint[]
  /** Handles a key; false passes it to the program. */
  command?(binding: KeyBinding): boolean
  /** What single keys do. */
  readonly keys?: Readonly<Record<string, () => void>>
  /** Handles what else is typed or pasted. */
  input?(event: KeyEvent): void
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
  /** Page commands it handles, unless it is a list. */
  obeys?(): readonly string[]
  /** The action that opened it; its key does nothing here. */
  ledHere?: Action
  /** For the palette; `open` opens an entry. */
  files?: { folder(): OpenFolder; open(name: string): void }
  /** Rows that actions would run on. */
  chosen?(): readonly AnyRow[]
}

export interface Overlay extends Keyed {
  closed?(): void
  cliLine?(): string | null
}

export function takeKey({ keys, input }: Pick<Keyed, 'keys' | 'input'>, event: KeyEvent): void {
  const run = event.type === 'key' ? keys?.[event.chord] : undefined
  if (run) run()
  else input?.(event)
}
