import { Text } from 'ink'
import type { ReactNode } from 'react'
import { useLook } from '../hooks/use-look.ts'
import { asciiTrack, type Look } from '../terminal/look.ts'
import { type Role, styleOf, type TextStyle } from '../terminal/theme.ts'

interface WordsProps {
  /** What it is; of several roles the later one wins. */
  readonly look?: Role | readonly Role[]
  readonly bold?: boolean
  readonly children?: ReactNode
}

/** The props of `<Text>` for roles, and a text of theirs. */
export function shownAs(
  { theme, ascii }: Pick<Look, 'theme' | 'ascii'>,
  roles: readonly Role[],
  text: string,
): { readonly style: TextStyle; readonly text: string } {
  return { style: styleOf(theme, roles), text: ascii && roles.includes('track') ? asciiTrack(text) : text }
}

/** A piece of text by what it is. The outermost one is a row of the screen, cut where it does not fit; those inside only change the look. */
export function Words({ look: given = 'text', bold = false, children }: WordsProps) {
  const look = useLook()
  const roles: readonly Role[] = typeof given === 'string' ? [given] : given
  const { style, text } = shownAs(look, roles, typeof children === 'string' ? children : '')
  return (
    <Text {...style} bold={style.bold || bold} wrap="truncate">
      {typeof children === 'string' ? text : children}
    </Text>
  )
}
