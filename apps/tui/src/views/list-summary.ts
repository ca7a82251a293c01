import type { Facet } from '@qd/core/view'
import type { Translator } from '@qd/core/i18n'
import { blank, type Line, span } from '../terminal/line.ts'
import { stateSpan } from '../fields/marks.ts'

/** How many records stand how: `● 113  ▲ 2`, with words where there is room; states nobody is in are left out where it is tight. */
export function facetSummary(facets: readonly Facet[], { say }: Translator, size: 'short' | 'normal' | 'long'): Line {
  const shown = size === 'long' ? facets : facets.filter(({ count, tone }) => count > 0 || tone === 'ok')
  return shown.flatMap(({ option, tone, count, label }, index) => [
    ...(index === 0 ? [] : [blank(size === 'short' ? 1 : 2)]),
    stateSpan(option, tone),
    span(`${size === 'short' ? '' : ' '}${count}`),
    ...(size === 'long' ? [span(` ${say(label)}`, 'muted')] : []),
  ])
}
