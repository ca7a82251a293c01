import { style } from '@vanilla-extract/css'

export const code = style({ width: 200, height: 200, maxWidth: '100%', borderRadius: 4 })
