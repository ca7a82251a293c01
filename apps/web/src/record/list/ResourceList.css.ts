import { globalStyle, style } from '@vanilla-extract/css'
import { color, flexRow, inlineCentered, layer, media, radius, type } from '../../base/theme/rules.ts'
import { bar, grow, heading } from '../../ui/Page.css.ts'

export const skeletonHead = style({ display: 'flex', height: 28 })
export const skeletonRow = style({ display: 'flex', borderBottom: `1px solid ${color.line}` })

export const pager = style({
  ...flexRow(4),
  flex: 'none',
  flexWrap: 'wrap',
  padding: '6px 16px',
  borderTop: `1px solid ${color.line}`,
})
export const page = style({
  ...inlineCentered,
  minWidth: 32,
  minHeight: 32,
  padding: '0 6px',
  color: color.muted,
  fontVariantNumeric: 'tabular-nums',
  borderBottom: '2px solid transparent',
  selectors: {
    '&:hover': { color: color.text, textDecoration: 'none' },
    '&[aria-current]': { color: color.text, fontWeight: 500, borderBottomColor: color.accent },
  },
  '@media': { [media.phone]: { minWidth: 44, minHeight: 44 } },
})
export const step = style({ padding: '0 6px', color: color.muted })
export const total = style({ marginInlineStart: 'auto', color: color.muted })

export const withPanel = style({})
export const list = style({
  display: 'flex',
  flexDirection: 'column',
  flex: 1,
  minHeight: 0,
  minWidth: 0,
  transition: 'none',
})
globalStyle(`${withPanel} > ${list}`, { '@media': { '(min-width: 1180px)': { marginRight: 640 } } })
export const root = style({ display: 'flex', flex: 1, minHeight: 0, minWidth: 0, position: 'relative' })

export const age = style({ color: color.warn, whiteSpace: 'nowrap' })

export const picked = style({
  ...flexRow(2),
  minHeight: 42,
  padding: '0 16px',
  flex: 'none',
  minWidth: 0,
  background: color.selected,
  boxShadow: `inset 0 -1px 0 ${color['accent-line']}`,
  '@media': {
    [media.oneRow]: {
      position: 'fixed',
      left: 0,
      right: 0,
      bottom: 0,
      zIndex: layer.actions,
      display: 'grid',
      gridTemplateColumns: '1fr auto auto',
      gap: '4px 0',
      padding: '8px 8px 12px',
      background: color.overlay,
      borderTop: `1px solid ${color['line-strong']}`,
      boxShadow: color['shadow-menu'],
    },
  },
})
export const pickedCount = style({
  marginRight: 6,
  whiteSpace: 'nowrap',
  '@media': { [media.oneRow]: { padding: '6px 8px' } },
})
export const pickedHidden = style({
  color: color.muted,
  whiteSpace: 'nowrap',
  '@media': { [media.oneRow]: { display: 'none' } },
})
export const separator = style({
  width: 1,
  height: 20,
  margin: '0 8px',
  background: color['accent-line'],
  '@media': { [media.oneRow]: { display: 'none' } },
})
export const pickedActions = style({
  display: 'flex',
  gap: 2,
  minWidth: 0,
  overflow: 'auto hidden',
  flex: 1,
  scrollbarWidth: 'none',
  '@media': { [media.oneRow]: { gridColumn: '1 / -1', justifyContent: 'space-around', order: 3 } },
})

export const filterBar = style({ ...flexRow(8), padding: '6px 16px 8px', flex: 'none', minWidth: 0 })
export const counted = style({
  color: color.muted,
  whiteSpace: 'nowrap',
  // The filter keeps its width when the count arrives.
  minWidth: '10ch',
  textAlign: 'end',
  '@media': { [media.phone]: { fontSize: 12, minWidth: 0 } },
})
export const problem = style([
  type('small'),
  { color: color.bad, padding: '0 16px 6px', display: 'flex', gap: 6, alignItems: 'center' },
])

export const rows = style({
  flex: 1,
  minHeight: 0,
  minWidth: 0,
  display: 'flex',
  flexDirection: 'column',
  position: 'relative',
})
export const more = style([
  type('small'),
  {
    position: 'absolute',
    insetInline: 0,
    bottom: 8,
    width: 'max-content',
    marginInline: 'auto',
    padding: '2px 10px',
    borderRadius: radius.control,
    border: `1px solid ${color.line}`,
    background: color.surface,
    color: color.muted,
    pointerEvents: 'none',
  },
])
/** Stale data loses its color, not its shape and contrast. */
export const stale = style({
  vars: {
    '--text': color.faint,
    '--muted': color.faint,
    '--ok': color.faint,
    '--warn': color.faint,
    '--bad': color.faint,
    '--accent': color.faint,
    '--ok-mark': color.control,
    '--warn-mark': color.control,
    '--bad-mark': color.faint,
    '--meter': color.notch,
  },
  color: color.faint,
})
export const notes = style({ padding: '0 16px 8px', display: 'grid', gap: 8 })

/** Below 891 px the bars wrap; above they share one row, in which the filter takes the rest. */
export const bars = style({
  flex: 'none',
  minWidth: 0,
  '@media': {
    [media.oneRow]: { ...flexRow(8), flexWrap: 'wrap', padding: '7px 16px' },
    [media.phone]: { padding: '5px 12px' },
  },
})
const inOneRow = { '@media': { [media.oneRow]: { display: 'contents' } } }
globalStyle(`${bars} > ${bar}, ${bars} > search, ${bars} > search > ${filterBar}`, inOneRow)
const order = (place: number) => ({ '@media': { [media.oneRow]: { order: place } } })
// A menu button’s box has no size of its own.
globalStyle(`${bars} ${filterBar} > *, ${bars} ${filterBar} > span > button`, order(1))
globalStyle(`${bars} > ${bar} > ${grow}`, { '@media': { [media.oneRow]: { display: 'none' } } })
globalStyle(`${bars} > ${bar} > ${grow} ~ *, ${bars} > ${bar} > ${grow} ~ span > button`, order(2))
globalStyle(`${bars} ${problem}`, { '@media': { [media.oneRow]: { order: 3, flex: '1 0 100%', padding: 0 } } })
globalStyle(`${bars} ${heading}`, {
  '@media': { [media.oneRow]: { marginRight: 0 }, [media.phone]: { position: 'absolute', clipPath: 'inset(50%)' } },
})

/** Facets below the filter on a phone, finger-sized. */
export const facetStrip = style({ order: 4, flex: '1 0 100%', minWidth: 0 })
globalStyle(`${facetStrip} button`, { height: 44, padding: '0 12px' })

export const facetPlace = style({ display: 'flex', flex: '1000 1 0', minWidth: 0 })
