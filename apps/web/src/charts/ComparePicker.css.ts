import { style } from '@vanilla-extract/css'

export const picker = style({ display: 'flex', alignItems: 'center', gap: 6, flexWrap: 'wrap', minWidth: 0 })
export const box = style({ width: 200 })
