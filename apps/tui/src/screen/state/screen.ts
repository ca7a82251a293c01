import type { KeyBinding, Layer, OpenFolder } from '@qd/core/actions'
import type { Cancel } from '@qd/core/api'
import type { Action, AnyRow, Resource } from '@qd/core/define'
import type { ReactNode } from 'react'
import type { KeyEvent } from '../terminal/keys.ts'
import type { Line } from '../terminal/line.ts'

/** Room on the screen, in cells. */
export interface Area {
  readonly columns: number
  readonly rows: number
}

/** A key that works here, as the key table spells it, and its word. */
export interface Hint {
  readonly chord: string
  readonly label: string
}

/** What both screens and what lies over them do with keys. */
interface Keyed {
  readonly layer: Layer
  /** What is shown: a component, which fills at most the area that `useArea` tells. */
  view(): ReactNode
  isTyping(): boolean
  hints(): readonly Hint[]
  /** A key of the table; false passes it on to the program. */
  command(binding: KeyBinding): boolean
  /** Any other key, or a paste. */
  input(event: KeyEvent): void
  /** `10G`: goes to the row of this number, from 1, or the last one; absent: as many steps from the first row do the same. */
  goToRow?(number: number): void
  /** Gives the focus to what stands in one of its own rows, the first of which is 0; false if nothing can have it. */
  click?(row: number, column: number, area: Area): boolean
  /** The wheel was turned by so many lines; absent: arrows do the same. */
  scroll?(by: number): void
  /** Where a person is now, in words for a screen reader (behaviour T-29). */
  spoken?(): readonly string[]
}

/** One place of the program: it fills everything between the header and the flash line. */
export interface Screen extends Keyed {
  /** Tells places apart; the same place keeps its position. */
  readonly key: string
  readonly resource: Resource | null
  /** Breadcrumb, from the list on. */
  place(): readonly string[]
  /** Behind the breadcrumb: how much there is. `short` for narrow terminals. */
  count(short: boolean): string
  /** At the right of the header: the counts by state, or the changes of a form. */
  summary(short: boolean): Line
  /** Loads what it needs from the server while it is on screen. Returns the function that ends that. */
  enter(): Cancel
  /** Escape: false when there was nothing to leave here, so that it goes back. */
  escape(): boolean
  /** The same as a line of the CLI; null if there is none. */
  cliLine(): string | null
  /** It has a text to look for with `n` and `N`. */
  searches?(): boolean
  /** It is a text to read: a number counts its lines and is never the number of a list. */
  readonly isText?: true
  /** What its keys are about is on its way; they wait for it. */
  waits?(): boolean
  /** A part of what it says is on its way: a screen reader hears it when it is there. */
  comes?(): boolean
  /** How many changes would be lost with it, of a place where something is typed. */
  unsaved?(): number
  /** What leaving the program would lose here besides, in words: selected rows, a filter. */
  kept?(): readonly string[]
  /** The commands of the page that it knows, of one that is no list. */
  obeys?(): readonly string[]
  /** The action that led here; its key is no key of this place. */
  ledHere?: Action
  /** The folder of a file manager, for the palette; `open` goes to a name of it and opens it. */
  files?: { folder(): OpenFolder; open(name: string): void }
  /** Records that actions would be run on now, of a place that has some. */
  chosen?(): readonly AnyRow[]
}

/** Something over the screen: a menu, a question, the command line. */
export interface Overlay extends Keyed {
  /** Called when the overlay is closed from outside. */
  closed(): void
  cliLine?(): string | null
}
