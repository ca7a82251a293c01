import type { Cancel } from '@qd/core/api'
import type { AnyRow, Resource, SectionKind, SectionOf } from '@qd/core/define'
import type { RecordLink } from '@qd/core/view'
import type { Hints } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { Line } from '../../screen/terminal/line.ts'

export interface SectionView {
  /** Without heading; empty if there is nothing to show. */
  lines(row: AnyRow, columns: number): readonly Line[]
  /** For a screen reader; `lines`: what is drawn, without its columns. */
  readonly spoken?: 'lines' | ((row: AnyRow) => readonly string[])
  readonly commands?: Readonly<Record<string, () => void>>
  hints?(): Hints
  links?(): readonly LinkTo[]
  watch?(): Cancel
  load?(): void
  comes?(): boolean
}

/** `label`, such as "Alert rules". `open`: opens something else than the record’s page. */
export interface LinkTo extends RecordLink {
  readonly label: string
  readonly open?: () => void
}

export interface SectionRequest<K extends SectionKind> {
  readonly resource: Resource
  readonly id: number
  readonly section: SectionOf<K>
}

export type SectionMaker<K extends SectionKind> = (ui: Ui, request: SectionRequest<K>) => SectionView
