import type { Format, Translator } from '@qd/core/i18n'
import { type Facet, facetText, type Table } from '@qd/core/view'
import { stateSpan } from '../../screen/fields/marks.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, type Line, span } from '../../screen/terminal/line.ts'

/** `● 38 online  ▲ 2 of them warning`; without words if narrow: `● 38 (▲ 2)`, omitting empty states. */
export function facetSummary(
  facets: readonly Facet[],
  { translator, format }: { translator: Translator; format: Format },
  size: 'short' | 'normal' | 'long',
): Line {
  // Colorless states have no shape, so they need words.
  const worded = size === 'long' || facets.every(({ tone }) => tone === 'plain')
  if (worded && size === 'short') return []
  const shown =
    size === 'long'
      ? facets
      : facets.filter(({ count, tone }) => tone === 'ok' || (count > 0 && (worded || tone !== 'plain')))
  return shown.flatMap((facet, index) => {
    const { option, tone, count, partOf } = facet
    // Already counted, so not a summand.
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

export function countText(ui: Ui, { matched, total }: Pick<Table, 'matched' | 'total'>, short: boolean): string {
  const { format, translator } = ui.workspace
  if (matched === total) return format.number(total)
  if (short) return `${format.number(matched)}/${format.number(total)}`
  return translator.t('ui.tui.list.ofTotal', { shown: matched, total })
}
