import { globalStyle, style } from '@vanilla-extract/css'
import { color, cut, flexRow, media, monospace, radius, type } from '../../../base/theme/rules.ts'

export const rolloutBar = style({
  ...flexRow(8),
  flexWrap: 'wrap',
  padding: '8px 12px',
  border: `1px solid ${color['line-strong']}`,
  borderRadius: radius.control,
})
export const words = style({
  display: 'flex',
  alignItems: 'center',
  gap: '0 16px',
  flexWrap: 'wrap',
  flex: 1,
  minWidth: 0,
})
export const state = style({ display: 'inline-flex', alignItems: 'center', gap: 8 })
export const plan = style([type('small'), { color: color.muted }])

export const page = style({ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' })
export const crumbs = style({
  ...flexRow(8),
  minWidth: 0,
  overflow: 'hidden',
  whiteSpace: 'nowrap',
  '@media': { [media.phone]: { flexBasis: '100%', paddingTop: 10 } },
})
export const bar = style({ '@media': { [media.phone]: { flexWrap: 'wrap', rowGap: 4, paddingBottom: 4 } } })
export const name = style([cut, { flex: 'none', maxWidth: '70%' }])
export const faint = style({ color: color.faint })
export const muted = style({ color: color.muted, overflow: 'hidden', textOverflow: 'ellipsis' })
export const summary = style({ padding: '4px 16px 12px', display: 'grid', gap: 8, flex: 'none' })
export const blast = style({ display: 'flex', height: 8, borderRadius: 2, overflow: 'hidden', gap: 2 })
export const part = {
  ok: style({ background: color['ok-mark'] }),
  bad: style({ background: color['bad-mark'] }),
  accent: style({ background: color.accent }),
  muted: style({ background: color.track }),
  warn: style({ background: color['warn-mark'] }),
  plain: style({ background: color.track }),
}
export const split = style({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) 480px',
  flex: 1,
  minHeight: 0,
  borderTop: `1px solid ${color.line}`,
  '@media': {
    [media.side]: { gridTemplateColumns: 'minmax(0, 1fr)', gridTemplateRows: 'minmax(0, 1fr) minmax(0, 1fr)' },
    [media.phone]: { gridTemplateRows: 'minmax(0, 1fr)' },
  },
})
export const rows = style({ minHeight: 0, minWidth: 0, position: 'relative' })
export const first = style({ paddingLeft: 16 })
export const server = style({ fontWeight: 500, overflow: 'hidden', textOverflow: 'ellipsis' })
export const lastLine = style([
  monospace,
  { color: color.muted, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
])
export const lines = style([type('small'), { flex: 'none', color: color.faint, marginLeft: 8 }])
export const pane = style({
  borderLeft: `1px solid ${color.line}`,
  padding: '12px 16px',
  display: 'grid',
  gap: 12,
  alignContent: 'start',
  background: color.canvas,
  overflow: 'auto',
  minHeight: 0,
  '@media': {
    [media.side]: { borderLeft: 0, borderTop: `1px solid ${color.line}` },
    [media.phone]: { display: 'none' },
  },
})
export const paneHead = style({ display: 'flex', alignItems: 'center', gap: 8, minHeight: 28, minWidth: 0 })
export const grow = style({ flex: 1 })
export const cutHead = style([
  type('small'),
  {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    minHeight: 28,
    padding: '0 12px',
    border: `1px dashed ${color['line-strong']}`,
    borderBottom: 0,
    borderRadius: `${radius.control}px ${radius.control}px 0 0`,
    color: color.muted,
  },
])
export const output = style([
  monospace,
  {
    margin: 0,
    padding: '10px 12px',
    border: `1px solid ${color.line}`,
    borderRadius: radius.control,
    background: color['term-ground'],
    color: color['term-fg'],
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    overflow: 'auto',
    maxHeight: '60vh',
  },
])
globalStyle(`${cutHead} + ${output}`, { borderTopLeftRadius: 0, borderTopRightRadius: 0 })
export const outputBox = style({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' })
export const link = style({
  all: 'unset',
  color: color.accent,
  cursor: 'default',
  selectors: {
    '&:hover': { textDecoration: 'underline' },
    '&:focus-visible': { outline: `2px solid ${color.accent}`, outlineOffset: 1 },
  },
})
export const small = style([type('small'), { color: color.muted }])
export const command = style([
  monospace,
  { color: color.muted, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
])
