import type { Cancel } from '@qd/core/api'
import type { AnyRow, Resource, SectionKind, SectionOf } from '@qd/core/define'
import type { RecordLink } from '@qd/core/view'
import type { Hint } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { Line } from '../../screen/terminal/line.ts'

export interface SectionView {
  /** Without heading; empty if there is nothing to show. */
  lines(row: AnyRow, columns: number): readonly Line[]
  /** For a screen reader: text that is no field. */
  spoken?(row: AnyRow): readonly string[]
  readonly commands?: Readonly<Record<string, () => void>>
  hints?(): readonly Hint[]
  /** Targets of Enter, with a heading each. */
  links?(): readonly LinkTo[]
  /** Loads data while on screen. */
  watch?(): Cancel
  load?(): void
  /** Its first load is running. */
  comes?(): boolean
}

/** `heading`, such as "Alert rules". */
export interface LinkTo extends RecordLink {
  readonly label: string
}

export interface SectionRequest<K extends SectionKind> {
  readonly resource: Resource
  readonly id: number
  readonly section: SectionOf<K>
}

export type SectionMaker<K extends SectionKind> = (ui: Ui, request: SectionRequest<K>) => SectionView
