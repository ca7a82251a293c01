import { Text } from 'ink'
import type { ReactNode } from 'react'
import { useLook } from '../hooks/use-look.ts'
import { type Role, styleOf } from '../terminal/theme.ts'

interface WordsProps {
  /** What it is; of several roles the later one wins. */
  readonly look?: Role | readonly Role[]
  readonly bold?: boolean
  readonly children?: ReactNode
}

/** A piece of text by what it is. The outermost one is a row of the screen, cut where it does not fit; those inside only change the look. */
export function Words({ look = 'text', bold = false, children }: WordsProps) {
  const { theme, ascii } = useLook()
  const roles: readonly Role[] = typeof look === 'string' ? [look] : look
  const { bold: isBold = bold, ...style } = styleOf(theme, roles)
  // What is left of a bar has the same sign as the bar where there are no colours.
  const isTrack = ascii && roles.includes('track') && typeof children === 'string'
  return (
    <Text {...style} bold={isBold || bold} wrap="truncate">
      {isTrack ? '.'.repeat(children.length) : children}
    </Text>
  )
}
