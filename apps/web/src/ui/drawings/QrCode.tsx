import { qrModules } from '@qd/core/view'
import { code } from './Drawings.css.ts'

/** A text to be read with a phone. Dark on light in every theme: cameras expect it so. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = qrModules(text)
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      className={code}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${rows.length}v${rows.length}h-${rows.length}z`} />
      <path fill="#000" d={dark.join('')} />
    </svg>
  )
}
