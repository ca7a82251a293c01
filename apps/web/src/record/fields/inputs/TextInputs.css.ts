import { style } from '@vanilla-extract/css'

/** An input with what is offered in its place below it. */
export const offered = style({ display: 'flex', flexDirection: 'column', gap: 6 })
