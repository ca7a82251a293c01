import { Box } from 'ink'
import { widthOf } from '../../base/output/width.ts'
import { useScreenStyle } from '../hooks.ts'
import { keyText } from '../state/actions.ts'
import { firstVisible, fitText, Rule, Words } from './rows.tsx'

export interface MenuLine {
  readonly label: string
  readonly detail?: string
  readonly chord?: string | null
  readonly reason?: string | null
  readonly chosen?: boolean
}

interface MenuProps {
  readonly title: string
  readonly items: readonly MenuLine[]
  readonly focus: number
  readonly columns: number
  readonly rows: number
}

export function menuRoom(rows: number): number {
  return Math.max(1, rows - 1)
}

const widestLabel = 40

export function Menu({ title, items, focus, columns, rows }: MenuProps) {
  const room = menuRoom(rows)
  const top = firstVisible(items.length, focus, room)
  const labelCells = Math.min(widestLabel, Math.max(...items.map(({ label }) => widthOf(label))) + 2)
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Rule title={title} cells={columns} />
      {items.slice(top, top + room).map((item, row) => (
        <Item key={row} {...item} isFocused={top + row === focus} labelCells={labelCells} columns={columns} />
      ))}
    </Box>
  )
}

const markCells = 5

function Item({
  label,
  detail = '',
  chord,
  reason,
  chosen,
  isFocused,
  labelCells,
  columns,
}: MenuLine & { isFocused: boolean; labelCells: number; columns: number }) {
  const style = useScreenStyle()
  const key = chord ? `${keyText({ style }, chord)} ` : ''
  const room = columns - markCells - widthOf(key)
  const labelRoom = Math.min(labelCells, room)
  return (
    <Words styleRole={isFocused ? 'focus' : 'text'}>
      <Words styleRole="accent">{(isFocused ? ' ▌ ' : '   ') + (chosen ? '✓ ' : '  ')}</Words>
      <Words styleRole={reason ? 'muted' : 'text'} bold={isFocused}>
        {fitText(label, labelRoom)}
      </Words>
      <Words styleRole="muted">{fitText(reason ?? detail, room - labelRoom)}</Words>
      <Words styleRole="key">{key}</Words>
    </Words>
  )
}
