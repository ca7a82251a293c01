import { style } from '@vanilla-extract/css'
import { media } from '../../base/theme/rules.ts'

export const picker = style({
  marginLeft: 'auto',
  '@media': { [media.phone]: { marginLeft: 0, width: '100%', flexWrap: 'wrap' } },
})
