import { globalStyle, style } from '@vanilla-extract/css'

/** The value gives way to its button, which stands right behind it. */
export const cell = style({ display: 'inline-flex', alignItems: 'center', gap: 2, minWidth: 0, maxWidth: '100%' })
globalStyle(`${cell} > :first-child`, { minWidth: 0 })
