import { style as css } from '@vanilla-extract/css'
import { color } from '../base/theme/rules.ts'

export const style = css({ display: 'inline-block', height: 8, borderRadius: 2, background: color.track })
