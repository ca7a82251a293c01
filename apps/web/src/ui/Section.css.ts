import { style } from '@vanilla-extract/css'
import { color } from '../base/theme/rules.ts'

/** A part of what stands beside a form, with its heading. */
export const section = style({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 8, justifyItems: 'start' })
export const head = style({ color: color.muted })
