import { cutTo, widthOf } from '../../base/output/width.ts'
import { Words } from './Words.tsx'

interface RuleProps {
  readonly title: string
  /** Behind the title, apart from it: of what it is about. */
  readonly about?: string
  /** Near the right end, muted. */
  readonly right?: string
  readonly cells: number
}

/** A rule across the screen that begins a section: `─ Title ─── 3 chosen ──`. */
export function Rule({ title, about = '', right = '', cells }: RuleProps) {
  const tail = right === '' ? 0 : widthOf(right) + 4
  const head = title === '' ? '' : cutTo(title, Math.max(0, cells - tail - 3), '…')
  const below = about === '' ? '' : cutTo(about, Math.max(0, cells - tail - widthOf(head) - 6), '…')
  const used = (head === '' ? 0 : widthOf(head) + 3) + (below === '' ? 0 : widthOf(below) + 3) + tail
  return (
    <Words look="rule">
      {head === '' ? '' : '─ '}
      <Words look={['text', 'bold']}>{head}</Words>
      {below === '' ? '' : <Words look="muted">{' › '}</Words>}
      <Words>{below}</Words>
      {head === '' ? '' : ' '}
      {'─'.repeat(Math.max(0, cells - used))}
      {right === '' ? '' : <Words look="muted">{` ${right} `}</Words>}
      {right === '' ? '' : '──'}
    </Words>
  )
}
