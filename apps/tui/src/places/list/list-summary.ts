import type { Format, Translator } from '@qd/core/i18n'
import { type Facet, facetText } from '@qd/core/view'
import { stateSpan } from '../../screen/fields/marks.ts'
import { blank, type Line, span } from '../../screen/terminal/line.ts'

/** How many records stand how: `● 38 online  ▲ 2 of them warning`, without words where it is tight: `● 38 (▲ 2)`; states nobody is in are left out there. */
export function facetSummary(
  facets: readonly Facet[],
  { translator, format }: { translator: Translator; format: Format },
  size: 'short' | 'normal' | 'long',
): Line {
  // States without colours have no shapes either: their words say them, or nothing does.
  const worded = size === 'long' || facets.every(({ tone }) => tone === 'plain')
  if (worded && size === 'short') return []
  const shown =
    size === 'long'
      ? facets
      : facets.filter(({ count, tone }) => tone === 'ok' || (count > 0 && (worded || tone !== 'plain')))
  return shown.flatMap((facet, index) => {
    const { option, tone, count, partOf } = facet
    // Counted already: it must not read as one more to add.
    const isInside = partOf !== null && !worded
    const number = format.number(count)
    const [before = '', after = ''] = worded ? facetText(facet, translator, '\0').split('\0') : []
    return [
      ...(index === 0 ? [] : [blank(size === 'short' || isInside ? 1 : 2)]),
      ...(isInside ? [span('(', 'muted')] : []),
      ...(tone === 'plain' ? [] : [stateSpan(option, tone), blank(size === 'short' ? 0 : 1)]),
      ...(before === '' ? [] : [span(before, 'muted')]),
      span(number),
      ...(after === '' ? [] : [span(after, 'muted')]),
      ...(isInside ? [span(')', 'muted')] : []),
    ]
  })
}
