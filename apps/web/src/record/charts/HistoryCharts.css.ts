import { style } from '@vanilla-extract/css'

export const charts = style({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 16, minWidth: 0 })
export const tools = style({ display: 'flex', alignItems: 'center', gap: 8, flexWrap: 'wrap' })
