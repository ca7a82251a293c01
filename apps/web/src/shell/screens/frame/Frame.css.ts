import { globalStyle, style } from '@vanilla-extract/css'
import {
  bareButton,
  color,
  cut,
  finger,
  flexRow,
  inlineRow,
  layer,
  media,
  radius,
  ring,
  type,
} from '../../../base/theme/rules.ts'
import { hintList, hints } from '../../../ui/Keycap.css.ts'

export const badge = style({
  ...inlineRow(6),
  flex: 'none',
  height: 28,
  padding: '0 8px',
  borderRadius: radius.control,
  background: color['bad-tint'],
  color: color.bad,
  fontWeight: 600,
  '@media': { [media.phone]: finger(8, 0) },
  selectors: { '&:hover': { textDecoration: 'none' } },
})

/** Where parts of the header go, so that the site’s name is whole in every language beside the badge of incidents (tokens.md 9). */
const narrow = {
  searchKey: '(min-width: 890px) and (max-width: 919px)',
  greeting: '(max-width: 1099px)',
  address: '(max-width: 1279px)',
} as const

export const app = style({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gridTemplateRows: '48px minmax(0, 1fr) 28px',
  height: '100dvh',
  overflow: 'hidden',
  position: 'relative',
  '@media': { [media.phone]: { gridTemplateRows: '48px minmax(0, 1fr)' } },
})
export const skip = style({
  position: 'absolute',
  left: 8,
  top: -60,
  zIndex: 30,
  padding: '6px 10px',
  background: color.overlay,
  border: `1px solid ${color['line-strong']}`,
  borderRadius: radius.control,
  selectors: { '&:focus': { top: 8 } },
})
export const top = style({
  ...flexRow(12),
  padding: '0 16px',
  borderBottom: `1px solid ${color['line-strong']}`,
  background: color.canvas,
  minWidth: 0,
  '@media': { [narrow.greeting]: { gap: 8 }, [media.phone]: { gap: 4, padding: '0 12px 0 16px' } },
})
export const menuButton = style({
  display: 'none',
  marginLeft: -8,
  '@media': { [media.side]: { display: 'inline-flex' } },
})
export const brand = style([
  type('lead'),
  {
    ...flexRow(8),
    fontWeight: 600,
    color: color.text,
    minWidth: 0,
    maxWidth: 220,
    flex: '0 1 auto',
    selectors: { '&:hover': { textDecoration: 'none' } },
    '@media': { [media.phone]: { marginRight: 'auto', ...finger(12, 0) } },
  },
])
export const brandName = style(cut)
export const demo = style({
  all: 'unset',
  boxSizing: 'border-box',
  flex: 'none',
  marginLeft: 6,
  padding: '0 8px',
  borderRadius: radius.chip,
  background: color['warn-tint'],
  color: color.warn,
  fontWeight: 600,
  fontSize: 12,
  lineHeight: '22px',
  cursor: 'pointer',
  '@media': { [media.phone]: finger(11, 0) },
  selectors: { '&:focus-visible': { outline: `2px solid ${color.accent}` } },
})
export const tabs = style({
  display: 'flex',
  alignSelf: 'stretch',
  marginLeft: 8,
  flex: 'none',
  '@media': { [narrow.greeting]: { marginLeft: 0 }, [media.side]: { display: 'none' } },
})
export const tab = style({
  display: 'flex',
  alignItems: 'center',
  position: 'relative',
  padding: '0 9px',
  color: color.muted,
  fontWeight: 500,
  whiteSpace: 'nowrap',
  '@media': { [narrow.greeting]: { padding: '0 6px' } },
  selectors: {
    '&:hover': { color: color.text, textDecoration: 'none' },
    '&[aria-current]': { color: color.text },
    '&[aria-current]::after': {
      content: '',
      position: 'absolute',
      left: 6,
      right: 6,
      bottom: -1,
      height: 2,
      background: color.accent,
    },
  },
})
export const grow = style({ flex: 1, minWidth: 0, '@media': { [media.phone]: { display: 'none' } } })
export const search = style({
  ...bareButton,
  ...flexRow(8),
  // Shrinks before the greeting, and the greeting before the site's name.
  flex: '0 1000000000000 208px',
  containerType: 'inline-size',
  minWidth: 96,
  width: 208,
  height: 28,
  padding: '0 5px 0 9px',
  border: `1px solid ${color['line-strong']}`,
  borderRadius: radius.control,
  background: color.surface,
  color: color.faint,
  selectors: { '&:hover': { background: color.hover }, '&:focus-visible': ring },
  '@media': {
    [narrow.greeting]: { width: 'auto', flex: 'none', minWidth: 0, containerType: 'normal' },
    [media.phone]: {
      flex: 'none',
      minWidth: 36,
      width: 36,
      height: 36,
      padding: 0,
      borderColor: 'transparent',
      background: 'none',
      justifyContent: 'center',
      color: color.muted,
      ...finger(4),
    },
  },
})
export const searchText = style([
  cut,
  {
    flex: 1,
    '@media': { [narrow.greeting]: { display: 'none' } },
    // A cut word says less than the icon.
    '@container': { '(max-width: 151px)': { visibility: 'hidden' } },
  },
])
export const searchKey = style({
  '@media': { [media.phone]: { display: 'none' }, [narrow.searchKey]: { display: 'none' } },
})
export const clock = style({
  color: color.muted,
  minWidth: 56,
  textAlign: 'right',
  whiteSpace: 'nowrap',
  '@media': { [narrow.greeting]: { display: 'none' } },
})
export const onWide = style({ display: 'inline-flex', '@media': { [media.phone]: { display: 'none' } } })
export const who = style({
  ...bareButton,
  ...flexRow(8),
  flex: '0 1000000 auto',
  minWidth: 44,
  height: 28,
  padding: '0 10px',
  borderRadius: radius.control,
  color: color.muted,
  fontWeight: 500,
  selectors: { '&:hover': { background: color.hover }, '&:focus-visible': ring },
  '@media': { [media.phone]: { height: 36, padding: '0 4px', ...finger(4, 6) } },
})
export const hello = style({
  whiteSpace: 'nowrap',
  maxWidth: 180,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  '@media': { [narrow.greeting]: { display: 'none' } },
})
export const from = style([
  type('small'),
  { color: color.faint, whiteSpace: 'nowrap', '@media': { [narrow.address]: { display: 'none' } } },
])
export const menuHead = style({
  ...flexRow(10),
  padding: '8px 8px 10px',
  borderBottom: `1px solid ${color.line}`,
  marginBottom: 4,
})
export const menuWho = style({ display: 'grid', minWidth: 0, flex: 1 })
export const small = style([type('small'), { color: color.muted }])
export const main = style({
  minHeight: 0,
  minWidth: 0,
  display: 'flex',
  flexDirection: 'column',
  position: 'relative',
  background: color.surface,
  outline: 'none',
})
/** Reserves the height of the first-steps card, which loads later. */
export const firstSteps = style({
  flex: 'none',
  height: 40,
  borderBottom: `1px solid ${color.line}`,
  background: color.sunken,
  '@media': { [media.phone]: { height: 88 } },
})
globalStyle(`:root[data-keyboard] ${app} > ${hints}`, { '@media': { [media.phone]: { display: 'flex' } } })
globalStyle(`:root[data-keyboard] ${app}`, {
  '@media': { [media.phone]: { gridTemplateRows: '48px minmax(0, 1fr) 28px' } },
})
/** Continuations of a key are shown in full, on several lines. */
export const hintsOpen = style({
  position: 'absolute',
  insetInline: 0,
  bottom: 0,
  minHeight: 28,
  zIndex: layer.actions,
})
globalStyle(`${hintsOpen} ${hintList}`, { height: 'auto' })
