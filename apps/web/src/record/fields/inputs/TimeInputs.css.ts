import { style } from '@vanilla-extract/css'

export const presets = style({ display: 'flex', flexWrap: 'wrap', gap: 4, marginTop: 6 })
/** The browser's own picker opens where it stands; it is not seen itself. */
export const picker = style({ position: 'absolute', width: 1, height: 1, opacity: 0, pointerEvents: 'none' })
export const end = style({ position: 'relative', display: 'inline-flex' })
