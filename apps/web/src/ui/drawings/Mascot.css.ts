import { keyframes, style } from '@vanilla-extract/css'
import { color } from '../../base/theme/rules.ts'

const still = { '@media': { '(prefers-reduced-motion: reduce)': { animation: 'none' } } }
const nod = keyframes({
  '0%, 70%, 100%': { transform: 'none' },
  '80%': { transform: 'translateY(1.5px) rotate(3deg)' },
})
const blink = keyframes({ '0%, 93%, 100%': { transform: 'none' }, '96%': { transform: 'scaleY(.1)' } })

export const mascot = style({ display: 'block', flex: 'none', overflow: 'visible' })
export const head = style({ transformOrigin: '46px 26px', animation: `${nod} 5s ease-in-out infinite`, ...still })
export const eye = style({
  fill: color.text,
  transformBox: 'fill-box',
  transformOrigin: 'center',
  animation: `${blink} 4s linear infinite`,
  ...still,
})
export const body = style({ fill: color.surface, stroke: color.control, strokeWidth: 1.5, strokeLinejoin: 'round' })
export const wing = style({ fill: color.hover, stroke: color.control, strokeWidth: 1.5, strokeLinejoin: 'round' })
export const deck = style({ fill: color['line-strong'] })
export const beak = style({ fill: color['warn-mark'] })
export const legs = style({ stroke: color['warn-mark'], strokeWidth: 2, strokeLinecap: 'round' })
export const cap = style({ fill: color.accent })
