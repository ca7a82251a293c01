import { globalStyle, style } from '@vanilla-extract/css'
import { row } from '../../ui/Table.css.ts'

/** The value gives way to its button, which stands right behind it. */
export const cell = style({ display: 'inline-flex', alignItems: 'center', gap: 2, minWidth: 0, maxWidth: '100%' })
globalStyle(`${cell} > :first-child`, { minWidth: 0 })
/** In a table only while the pointer or the focus is on the row: addresses are read more often than copied. */
globalStyle(`${row}:not(:hover, :focus) ${cell} > button:not(:focus-visible)`, { opacity: 0 })
