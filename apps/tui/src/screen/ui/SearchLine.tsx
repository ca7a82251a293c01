import { Box } from 'ink'
import type { TextInput as Input } from '../terminal/text-input.ts'
import type { Role } from '../terminal/theme.ts'
import { TextInput } from './TextInput.tsx'
import { Words } from './Words.tsx'

interface SearchLineProps {
  /** What stands before the text, e.g. `/`. */
  readonly mark: string
  readonly look: Role
  readonly input: Input
  /** Whether keys go into the text. */
  readonly isFocused?: boolean
  readonly columns: number
  /** Room for the text. */
  readonly cells: number
  /** At the right end, muted. */
  readonly right: string
}

/** A row in which a search is typed. */
export function SearchLine({ mark, look, input, isFocused = true, columns, cells, right }: SearchLineProps) {
  return (
    <Box width={columns} height={1} flexShrink={0} justifyContent="space-between">
      <Words>
        <Words look={look}>{mark}</Words>
        <TextInput input={input} cells={cells} isFocused={isFocused} />
      </Words>
      <Box flexShrink={0}>
        <Words look="muted">{right}</Words>
      </Box>
    </Box>
  )
}
