import type { FieldKind, Resource } from '@qd/core/define'
import type { Column } from '@qd/core/view'

/** Minimum width in px by kind, padding included (tokens.md 4). */
const widths: Record<FieldKind, number> = {
  text: 120,
  note: 160,
  secret: 100,
  command: 200,
  schedule: 136,
  // Room for an IPv4 address, even if an IPv6 address follows.
  address: 142,
  version: 72,
  number: 84,
  duration: 104,
  bytes: 84,
  rate: 84,
  percent: 100,
  trend: 90,
  flag: 72,
  choice: 128,
  ref: 112,
  refs: 108,
  list: 128,
  'id-map': 128,
  instant: 128,
  targets: 188,
  rules: 328,
  days: 224,
  reading: 144,
  part: 0,
}
const titleWidth = { alone: 192, beside: 148 } as const
const causeWidth = 160
export const markWidth = 38

export interface Placed extends Column {
  readonly width: number
  readonly isLast: boolean
  /** Words after numbers have a larger gap. */
  readonly isApart: boolean
}

const drops: Record<Column['show'], number> = { detail: 3, wide: 2, normal: 1, always: 0 }
const maxTitleShare = 0.5
const leastWidths =
  (resource: Resource, givesWay: boolean, title: number) =>
  ({ field, kind }: Column) =>
    field === resource.title ? Math.max(titleWidth[givesWay ? 'beside' : 'alone'], title) : widths[kind]

/**
 * The columns that fit, with their widths. Drops the least needed from the right; the title gets the rest, for its
 * cause. The title stays and is as wide as its longest name (`title`, px), or shrinks to its cause beside an open panel
 * (`givesWay`).
 */
export function placeColumns(
  resource: Resource,
  columns: readonly Column[],
  room: number,
  { givesWay = false, title = 0 }: { givesWay?: boolean; title?: number } = {},
): Placed[] {
  const kept = columns.filter(({ field }) => field !== resource.state?.field)
  const cause = hasCause(resource) ? causeWidth : 0
  const wanted = Math.ceil(title) + (givesWay ? cause : 0)
  const least = leastWidths(resource, givesWay, Math.min(wanted, Math.floor(room * maxTitleShare)))
  const total = () => kept.reduce((sum, column) => sum + least(column), 0)
  while (kept.length > 1 && total() > room - markWidth) kept.splice(dropIndex(resource, kept), 1)
  const spare = Math.max(0, room - markWidth - total() - (givesWay ? 0 : cause))
  const share = spare / 2 / total()
  const placed = kept.map((column, index) => ({
    ...column,
    isLast: index === kept.length - 1,
    isApart: !column.numeric && (kept[index - 1]?.numeric ?? false),
    width: Math.floor(least(column) * (1 + share)),
  }))
  const rest = room - markWidth - placed.reduce((sum, { width }) => sum + width, 0)
  return placed.map((column) => (column.field === resource.title ? { ...column, width: column.width + rest } : column))
}

const hasCause = ({ state }: Resource) => state !== null

function dropIndex(resource: Resource, columns: readonly Column[]): number {
  let found = columns.length - 1
  for (const [index, column] of columns.entries()) {
    if (column.field === resource.title) continue
    const isTitle = columns[found]!.field === resource.title
    if (isTitle || drops[column.show] >= drops[columns[found]!.show]) found = index
  }
  return found
}
