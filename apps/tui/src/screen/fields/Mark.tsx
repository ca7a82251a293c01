import type { Tone } from '@qd/core/define'
import { Words } from '../ui/Words.tsx'
import { stateSpan } from './marks.ts'

/** The shape that stands for a state, in its colour. */
export function Mark({ option, tone }: { option: string | null; tone: Tone }) {
  const { text, roles } = stateSpan(option, tone)
  return <Words look={roles}>{text}</Words>
}
