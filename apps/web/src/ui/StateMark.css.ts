import { keyframes, style } from '@vanilla-extract/css'
import { recipe } from '@vanilla-extract/recipes'
import { color, cut, inlineRow } from '../base/theme/rules.ts'

const turn = keyframes({ to: { rotate: '360deg' } })

/** Shape first, color second (tokens.md 2). Same shapes as the terminal UI. */
export const mark = recipe({
  base: { display: 'inline-block', flex: 'none', width: 8, height: 8, margin: '0 1px', borderRadius: '50%' },
  variants: {
    shape: {
      disc: { background: color['ok-mark'] },
      triangle: {
        width: 10,
        height: 9,
        margin: 0,
        borderRadius: 0,
        background: color['warn-mark'],
        clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
      },
      square: { borderRadius: 1, background: color['bad-mark'] },
      ring: { border: `1.5px solid ${color.faint}` },
      turning: {
        width: 10,
        height: 10,
        margin: 0,
        border: `2px solid ${color.accent}`,
        borderRightColor: 'transparent',
        animation: `${turn} 1s linear infinite`,
      },
    },
  },
})
export const word = style({ ...inlineRow(6), whiteSpace: 'nowrap', minWidth: 0, maxWidth: '100%' })
/** Its baseline is that of the whole, not the icon’s lower edge. */
export const wordText = style([cut, { alignSelf: 'baseline' }])
export const tones = {
  plain: style({ color: color.text }),
  muted: style({ color: color.muted }),
  accent: style({ color: color.accent }),
  ok: style({ color: color.ok }),
  warn: style({ color: color.warn }),
  bad: style({ color: color.bad }),
}
