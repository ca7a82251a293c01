import { type Resource, textKey } from '@qd/core/define'
import { chosenFacet, type Facet, facetText, type ListModel, type Table, withFacet } from '@qd/core/view'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useMedia, useWidth } from '../../../base/hooks/use-size.ts'
import { useListValue } from '../../../base/state/list-state.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import * as page from '../../../ui/Page.css.ts'
import { StateMark } from '../../../ui/StateMark.tsx'
import * as css from '../ResourceList.css.ts'
import { useSavedFilters } from './ListTools.tsx'

export function Facets({ resource, list, table }: FacetProps) {
  const isOne = useMedia('oneRow')
  if (table.total === 0 || table.facets.length === 0) return null
  const Shown = isOne ? FacetMenu : FittedFacets
  return <Shown resource={resource} list={list} table={table} />
}

export function FacetStrip(props: FacetProps) {
  return (
    <div className={css.facetStrip}>
      <FacetRow {...props} />
    </div>
  )
}

function FittedFacets(props: FacetProps) {
  const { list, table } = props
  const place = useRef<HTMLDivElement>(null)
  const chosen = useListValue(list, ({ filter }) => chosenFacet(table.facets, filter))
  const Shown = useTight(place, [table.facets, chosen, useTexts()]) ? FacetMenu : FacetRow
  return (
    <div ref={place} className={css.facetPlace}>
      <Shown {...props} />
    </div>
  )
}

/** Whether the facets have too little room, such as beside an open panel. Measures only when what they are drawn from changes: it forces a layout. */
function useTight(place: RefObject<HTMLElement | null>, drawn: readonly unknown[]): boolean {
  const width = useWidth(place)
  const needed = useRef(0)
  const [isTight, setTight] = useState(false)
  useLayoutEffect(() => {
    const row = place.current?.querySelector('fieldset')
    if (row) needed.current = row.scrollWidth
    if (width > 0) setTight(needed.current > width)
  }, [place, width, ...drawn])
  return isTight
}

interface FacetProps {
  resource: Resource
  list: ListModel
  table: Table
}

const nameOf = ({ name, facet }: Resource) => (facet === null ? textKey.many(name) : textKey.field(name, facet))

function FacetMenu({ resource, list, table }: FacetProps) {
  const texts = useTexts()
  const { t, say, format } = texts
  const isPhone = useMedia('phone')
  const filter = useListValue(list, ({ filter }) => filter)
  const chosen = chosenFacet(table.facets, filter)
  const choose = (option: string | null) => list.setFilter(withFacet(table.facets, filter, option))
  const all = `${format.number(table.total)} ${t('ui.list.all')}`
  const textOf = (facet: Facet) => facetText(facet, texts, format.number(facet.count))
  const { entries: saved } = useSavedFilters(resource, list)
  const shown = table.facets.find(({ option }) => option === chosen)
  const entries = [
    { id: ' ', label: all, chosen: chosen === null, run: () => choose(null) },
    ...table.facets
      .filter(({ count, option }) => count > 0 || option === chosen)
      .map((facet) => ({
        id: facet.option,
        label: textOf(facet),
        chosen: facet.option === chosen,
        run: () => choose(facet.option === chosen ? null : facet.option),
      })),
    ...(isPhone ? saved.map((entry, index) => ({ ...entry, ruled: index === 0 || (entry.ruled ?? false) })) : []),
  ]
  return (
    <Menu label={say(nameOf(resource))} entries={entries}>
      {isPhone ? (
        <IconButton icon="list-filter" label={`${say(nameOf(resource))}: ${shown ? textOf(shown) : all}`} />
      ) : (
        <Button icon="chevron-down">{shown ? textOf(shown) : all}</Button>
      )}
    </Menu>
  )
}

function FacetRow({ resource, list, table }: FacetProps) {
  const { t, say, format } = useTexts()
  const filter = useListValue(list, ({ filter }) => filter)
  const chosen = chosenFacet(table.facets, filter)
  const choose = (option: string | null) => list.setFilter(withFacet(table.facets, filter, option))
  return (
    <fieldset className={page.facets} aria-label={say(nameOf(resource))}>
      <FacetButton
        text={[format.number(table.total), ` ${t('ui.list.all')}`]}
        isChosen={chosen === null}
        onPress={() => choose(null)}
      />
      {table.facets
        .filter((facet) => facet.count > 0 || facet.option === chosen)
        .map((facet) => (
          <FacetButton
            key={facet.option}
            facet={facet}
            text={around(facetText(facet, { t, say }, gap), format.number(facet.count))}
            isChosen={facet.option === chosen}
            onPress={() => choose(facet.option)}
          />
        ))}
    </fieldset>
  )
}

/** Placeholder for a number in a text whose parts are drawn separately. */
const gap = '\0'

function around(text: string, number: string): string[] {
  const [before = '', after = ''] = text.split(gap)
  return [before, number, after].filter((part) => part !== '')
}

function FacetButton({
  facet,
  text,
  isChosen,
  onPress,
}: {
  facet?: Facet
  /** Parts alternate: number, text. */
  text: readonly string[]
  isChosen: boolean
  onPress: () => void
}) {
  return (
    <button type="button" className={page.facet} aria-pressed={isChosen} onClick={onPress}>
      {facet && facet.tone !== 'plain' && <StateMark tone={facet.tone} label="" decorative />}
      <span>
        {text.map((part) => (
          <span key={part} className={/\d/.test(part) ? page.count : undefined}>
            {part}
          </span>
        ))}
      </span>
    </button>
  )
}
