import { keyframes, style } from '@vanilla-extract/css'
import { color, flexRow, floating, media, motion, radius } from '../../base/theme/rules.ts'

const open = keyframes({ from: { opacity: 0, translate: '0 -4px' } })
export const menu = style({
  minWidth: 220,
  maxWidth: 'calc(100vw - 16px)',
  padding: 4,
  ...floating,
  outline: 'none',
  overflow: 'auto',
  animation: `${open} ${motion.open}`,
})
export const list = style({ outline: 'none' })
export const item = style({
  ...flexRow(10),
  minHeight: 28,
  padding: '0 8px',
  borderRadius: radius.control,
  color: color.text,
  cursor: 'default',
  outline: 'none',
  whiteSpace: 'nowrap',
  textDecoration: 'none',
  selectors: {
    '&[data-focused], &[data-hovered]': { background: color.hover, textDecoration: 'none' },
    '&[aria-disabled="true"]': { color: color.faint },
    '&[data-tone="bad"]': { color: color.bad },
    // What deletes stays in sight where the menu scrolls.
    '&[data-tone="bad"]:last-child': {
      position: 'sticky',
      bottom: -4,
      background: color.overlay,
    },
    '&[data-tone="bad"]:last-child:is([data-focused], [data-hovered])': { background: color.hover },
  },
  '@media': { [media.phone]: { minHeight: 44 } },
})
export const text = style({ display: 'grid', flex: 1 })
export const reason = style({
  fontSize: 12,
  lineHeight: '16px',
  color: color.faint,
  whiteSpace: 'normal',
  maxWidth: 320,
})
export const icon = style({ color: color.muted, display: 'inline-flex' })
export const rule = style({ height: 1, margin: '4px 0', border: 0, background: color.line })
export const place = style({ position: 'fixed', width: 0, height: 0 })
