import type { Cancel } from '@qd/core/api'
import type { AnyRow, Resource, SectionKind, SectionOf } from '@qd/core/define'
import type { RecordLink } from '@qd/core/view'
import type { Hint } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { Line } from '../../screen/terminal/line.ts'

/** One section of a detail page on screen. */
export interface SectionView {
  /** Below its heading, empty if there is nothing to say. */
  lines(row: AnyRow, columns: number): readonly Line[]
  /** Words of what is not a value of the record, for a screen reader. */
  spoken?(row: AnyRow): readonly string[]
  readonly commands?: Readonly<Record<string, () => void>>
  hints?(): readonly Hint[]
  /** Records that Enter leads to, each below what it is. */
  links?(): readonly LinkTo[]
  /** What it asks the server for by itself; called when it comes on screen. */
  watch?(): Cancel
  load?(): void
  /** What it asks for is on its way for the first time. */
  comes?(): boolean
}

/** A record to go to, and the words above it: "Alert rules". */
export interface LinkTo extends RecordLink {
  readonly label: string
}

/** What a section is built from. */
export interface SectionRequest<K extends SectionKind> {
  readonly resource: Resource
  readonly id: number
  readonly section: SectionOf<K>
}

/** Builds the part of one kind of section. */
export type SectionMaker<K extends SectionKind> = (ui: Ui, request: SectionRequest<K>) => SectionView
