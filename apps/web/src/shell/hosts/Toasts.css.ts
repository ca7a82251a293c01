import { globalStyle, style, styleVariants } from '@vanilla-extract/css'
import { color, floating, layer, media, motion, ring, type } from '../../base/theme/rules.ts'
import { hintsOpen } from '../screens/frame/Frame.css.ts'

export const region = style({
  position: 'fixed',
  right: 16,
  bottom: 40,
  width: 380,
  maxWidth: 'calc(100vw - 32px)',
  display: 'grid',
  gap: 8,
  zIndex: layer.toast,
  outline: 'none',
  '@media': {
    print: { display: 'none' },
    [media.phone]: { left: 8, right: 8, width: 'auto', maxWidth: 'none', bottom: 12 },
  },
})
export const toast = style({
  position: 'relative',
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto',
  gap: '2px 10px',
  alignItems: 'start',
  padding: '10px 12px',
  ...floating,
  overflow: 'hidden',
  transition: `opacity ${motion.open}`,
  selectors: { '&[data-focus-visible]': ring },
})
export const icon = styleVariants({
  plain: { marginTop: 2, color: color.muted },
  ok: { marginTop: 2, color: color.ok },
  warn: { marginTop: 2, color: color.warn },
  bad: { marginTop: 2, color: color.bad },
})
export const words = style({ minWidth: 0, overflowWrap: 'anywhere' })
export const title = style({ display: 'block', fontWeight: 600 })
export const detail = style({ color: color.muted, fontSize: 12, lineHeight: '18px' })
export const acts = style({ display: 'flex', gap: 4, alignItems: 'center' })
export const left = style([type('small'), { color: color.muted, minWidth: 22, textAlign: 'right' }])
export const progress = style({ position: 'absolute', left: 0, bottom: 0, height: 2, background: color.accent })
/** Above the key hints too, however many lines they have. */
globalStyle(`body:has(${hintsOpen}) ${region}`, {
  bottom: 72,
  '@media': { [media.tight]: { top: 64, bottom: 'auto' }, [media.phone]: { top: 64, bottom: 'auto' } },
})
globalStyle(`body:has([role="dialog"], [role="alertdialog"][data-asks]) ${region}`, {
  bottom: 'auto',
  top: 8,
  '@media': { [media.phone]: { top: 'auto', bottom: 112 } },
})
