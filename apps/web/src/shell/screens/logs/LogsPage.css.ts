import { style } from '@vanilla-extract/css'
import { color, flexRow, media, monospace } from '../../../base/theme/rules.ts'

/** Height of a line in px. */
export const lineHeight = 20

export const page = style({ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' })
export const form = style({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 8,
  padding: '0 16px 8px',
})
export const field = style({
  ...flexRow(8),
  flex: '1 1 160px',
  minWidth: 0,
  color: color.muted,
  whiteSpace: 'nowrap',
  '@media': { [media.phone]: { flexBasis: '40%' } },
})
export const source = style({ color: color.text })
export const said = style({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '4px 12px',
  padding: '0 16px 8px',
  color: color.muted,
  overflowWrap: 'anywhere',
})
export const lines = style({
  ...monospace,
  flex: 1,
  minHeight: 0,
  overflow: 'auto',
  borderTop: `1px solid ${color.line}`,
  outlineOffset: -2,
})
export const room = style({ position: 'relative', minWidth: 'max-content' })
export const line = style({ position: 'absolute', left: 0, height: lineHeight, padding: '0 16px', whiteSpace: 'pre' })
export const time = style({ color: color.muted })
/** Of servers, so that neighbors in a stream look different. Colors of charts alone are too light for words on white. */
export const servers = (['c1', 'c2', 'c3', 'c4', 'c0'] as const).map((name) =>
  style({ color: `color-mix(in srgb, ${color[name]} 65%, ${color.text})`, fontWeight: 500 }),
)
export const level = {
  bad: style({ color: color.bad }),
  warn: style({ color: color.warn }),
  plain: style({}),
  muted: style({ color: color.muted }),
}
