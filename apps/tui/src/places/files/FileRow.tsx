import { type FileEntry, isFolder, shownName } from '@qd/core/files'
import { memo } from 'react'
import { useTexts } from '../../screen/hooks/use-texts.ts'
import { useUi } from '../../screen/hooks/use-ui.ts'
import { blank, fitLine, type Line, span, spread, withRoles } from '../../screen/terminal/line.ts'
import type { Role } from '../../screen/terminal/theme.ts'
import { Row } from '../../screen/ui/Row.tsx'

interface FileRowProps {
  readonly entry: FileEntry
  readonly columns: number
  readonly isFocused: boolean
  readonly isMarked: boolean
}

const sizeCells = 10
const timeCells = 12
/** Below this sizes and times give way to the name. */
const wide = 72

/** One entry of a folder. */
export const FileRow = memo(({ entry, columns, isFocused, isMarked }: FileRowProps) => {
  const { format } = useTexts()
  const { now } = useUi().io
  const folder = isFolder(entry)
  const role: readonly Role[] = folder ? ['accent'] : []
  const figures: Line =
    columns < wide || entry.modified === undefined
      ? []
      : [
          ...fitLine(
            [span(folder || entry.size === undefined ? '' : format.bytes(entry.size), 'muted')],
            sizeCells,
            'right',
          ),
          blank(2),
          ...fitLine([span(format.instant(entry.modified, now()), 'muted')], timeCells),
        ]
  const line = spread(
    [
      span(isFocused ? ' ▌' : '  ', 'accent'),
      span(isMarked ? '✓ ' : '  ', 'accent'),
      span(`${shownName(entry.name)}${folder ? '/' : ''}`, ...role, ...(isFocused ? (['bold'] as const) : [])),
      span(entry.target ? ` → ${shownName(entry.target)}` : '', 'muted'),
    ],
    figures,
    columns,
  )
  return <Row line={isFocused ? withRoles(line, 'focus') : line} />
})
