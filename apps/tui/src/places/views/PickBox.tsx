import { useValue } from '@legendapp/state/react'
import { Box } from 'ink'
import type { ReactNode } from 'react'
import { useArea } from '../../screen/hooks/use-area.ts'
import { useTexts } from '../../screen/hooks/use-texts.ts'
import { Rule } from '../../screen/ui/Rule.tsx'
import { SearchLine } from '../../screen/ui/SearchLine.tsx'
import { Words } from '../../screen/ui/Words.tsx'
import type { SearchField } from './search-field.ts'

interface PickBoxProps {
  readonly title: string
  readonly chosen: number
  /** How many there are to choose from. */
  readonly count: number
  /** What filters them. */
  readonly search: SearchField
  /** Their rows. */
  readonly children: ReactNode
}

/** Rows to choose several of, with their title and the line that filters them. */
export function PickBox({ title, chosen, count, search, children }: PickBoxProps) {
  const { t } = useTexts()
  const { columns } = useArea()
  const isIn = useValue(search.isIn$)
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Rule title={title} cells={columns} right={t('ui.tui.list.chosen', { count: chosen })} />
      {count === 0 && <Words look="muted">{`   ${t('ui.list.noResults')}`}</Words>}
      {children}
      <SearchLine
        {...{ mark: ' /', columns, cells: columns - 20, right: `${count} ` }}
        look={isIn ? 'accent' : 'muted'}
        input={search.input}
        isFocused={isIn}
      />
    </Box>
  )
}
