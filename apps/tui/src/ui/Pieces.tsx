import type { Line } from '../terminal/line.ts'
import { Words } from './Words.tsx'

/** Pieces of a row, within the `<Words>` that is the row. */
export function Pieces({ line }: { line: Line }) {
  return line.map(({ text, roles }, at) =>
    roles.length === 0 ? (
      text
    ) : (
      <Words key={at} look={roles}>
        {text}
      </Words>
    ),
  )
}
