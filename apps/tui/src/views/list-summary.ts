import type { Translator } from '@qd/core/i18n'
import type { Facet } from '@qd/core/view'
import { stateSpan } from '../fields/marks.ts'
import { blank, type Line, span } from '../terminal/line.ts'

/** How many records stand how: `● 113  ▲ 2`, with words where there is room; states nobody is in are left out where it is tight. */
export function facetSummary(facets: readonly Facet[], { say }: Translator, size: 'short' | 'normal' | 'long'): Line {
  // States without colours have no shapes either: their words say them, or nothing does.
  const worded = size === 'long' || facets.every(({ tone }) => tone === 'plain')
  if (worded && size === 'short') return []
  const shown = size === 'long' ? facets : facets.filter(({ own, tone }) => own > 0 || tone === 'ok')
  return shown.flatMap(({ option, tone, own, label }, index) => [
    ...(index === 0 ? [] : [blank(size === 'short' ? 1 : 2)]),
    ...(tone === 'plain' ? [] : [stateSpan(option, tone), blank(size === 'short' ? 0 : 1)]),
    span(String(own)),
    ...(worded ? [span(` ${say(label)}`, 'muted')] : []),
  ])
}
