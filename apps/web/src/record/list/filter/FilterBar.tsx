import { fieldKey, type Resource } from '@qd/core/define'
import { firstItem } from '@qd/core/errors'
import { nounOf } from '@qd/core/i18n'
import {
  type Completion,
  type Completions,
  completions,
  selectionProblemKey,
  type Token,
  tokens,
} from '@qd/core/targets'
import { type Column, type ListModel, problemField, sortFields, sortKeyOf, type Table } from '@qd/core/view'
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { onCommand } from '../../../act/keys/commands.ts'
import { capsOf } from '../../../act/keys/keys.ts'
import { afterPress } from '../../../base/hooks/after-press.ts'
import { useMedia } from '../../../base/hooks/use-size.ts'
import { useListValue } from '../../../base/state/list-state.ts'
import { view } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/drawings/Icon.tsx'
import { Keycap } from '../../../ui/Keycap.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import { counted, filterBar, problem as problemStyle } from '../ResourceList.css.ts'
import { FacetStrip, Facets } from './Facets.tsx'
import * as css from './FilterBar.css.ts'
import { ColumnMenu, FilterMenu } from './ListTools.tsx'

const suggestionId = (list: string, index: number) => `${list}-${index}`

function FilterSuggestions({ id, resource, state }: { id: string; resource: Resource; state: CompletionState }) {
  const { t, say } = useTexts()
  const { items, chosen, take } = state
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => void list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen])
  return (
    <div ref={list} id={id} className={css.list} role="listbox" aria-label={t('ui.list.suggestions')} tabIndex={-1}>
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: keys go to the filter, which names the chosen one
        <div
          key={`${item.kind} ${item.text}`}
          id={suggestionId(id, index)}
          className={css.option}
          role="option"
          aria-selected={index === chosen}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(item)}
        >
          <span className={css.text}>{item.text}</span>
          <span className={css.about}>{say(fieldKey(resource, item.field))}</span>
        </div>
      ))}
    </div>
  )
}

const arrows = { asc: 'arrow-up', desc: 'arrow-down' } as const

/** Sorts by a column, or reverses the order. Opened by `s`, and the only way where there is no head. */
function SortMenu({ resource, list, columns }: { resource: Resource; list: ListModel; columns: readonly Column[] }) {
  const { t, say } = useTexts()
  const sort = useListValue(list, ({ sort }) => sort)
  const [isOpen, set] = useState(false)
  useEffect(() => onCommand('sort', () => set(true)), [])
  const entries = sortFields(resource, columns).map((field) => ({
    id: field,
    label: say(sortKeyOf(resource, field)),
    chosen: sort.field === field && arrows[sort.order],
    run: () => list.sortBy(field),
  }))
  return (
    <Menu label={t('ui.keys.sort')} entries={entries} open={{ isOpen, set }}>
      <IconButton icon="arrow-down-up" label={t('ui.keys.sort')} caps={capsOf('sort')} />
    </Menu>
  )
}

const tokenStyles: Partial<Record<Token['kind'], string>> = {
  key: css.name,
  operator: css.sign,
  negation: css.sign,
  and: css.sign,
  or: css.sign,
}

export function FilterBar({
  resource,
  list,
  table,
  onOpen,
}: {
  resource: Resource
  list: ListModel
  table: Table
  onOpen: (id: number) => void
}) {
  const { t, say, format } = useTexts()
  const filter = useListValue(list, ({ filter }) => filter)
  const input = useRef<HTMLInputElement>(null)
  const copy = useRef<HTMLDivElement>(null)
  const id = useId()
  const completion = useCompletion(resource, input, (text) => list.setFilter(text))
  const isPhone = useMedia('phone')
  const hasFacetMenu = isPhone && table.facets.length > 0 && table.total > 0
  const isCompleting = completion.items.length > 0
  useEffect(() => onCommand('filter', () => input.current?.select()), [])
  const label = t('ui.list.filterBy', {
    names: format.list(table.columns.slice(0, 4).map((column) => nounOf(say(column.label), format.language))),
  })
  const follow = () => {
    if (copy.current && input.current) copy.current.scrollLeft = input.current.scrollLeft
  }
  const { problem } = table
  return (
    <search>
      <div className={filterBar}>
        <div className={css.box} data-used={filter !== '' || undefined} data-invalid={problem !== null || undefined}>
          {hasFacetMenu ? (
            <Facets resource={resource} list={list} table={table} />
          ) : (
            <span className={css.icon}>
              <Icon name="list-filter" size={14} />
            </span>
          )}
          <div className={css.stack}>
            <div className={css.copy} ref={copy} aria-hidden="true" style={{ overflow: 'hidden' }}>
              <Coloured text={filter} />
            </div>
            <input
              ref={input}
              className={css.input}
              style={{ height: '100%' }}
              type="text"
              value={filter}
              placeholder={label}
              aria-label={label}
              role="combobox"
              aria-autocomplete="list"
              aria-expanded={isCompleting}
              aria-controls={isCompleting ? id : undefined}
              aria-activedescendant={completion.chosen < 0 ? undefined : suggestionId(id, completion.chosen)}
              aria-invalid={problem !== null || undefined}
              aria-describedby={problem === null ? undefined : `filter-problem-${resource.name}`}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => {
                list.setFilter(event.target.value)
                completion.update()
              }}
              onFocus={() => list.setTyping(true)}
              onBlur={() =>
                afterPress(() => {
                  list.setTyping(false)
                  completion.close()
                })
              }
              onScroll={follow}
              onSelect={follow}
              onKeyDown={(event) => {
                if (completion.press(event)) event.preventDefault()
                else if (event.key === 'Enter') {
                  input.current?.blur()
                  const [only] = table.ids
                  const isOnly = table.matched === 1 && list.marks.size === 0 && !table.isComing
                  if (filter !== '' && isOnly && only !== undefined) onOpen(only)
                }
              }}
            />
          </div>
          {filter === '' ? (
            <Keycap caps={capsOf('filter')} />
          ) : (
            <IconButton
              size="small"
              icon="x"
              label={t('ui.list.clearFilter')}
              caps={['esc']}
              onPress={() => list.setFilter('')}
            />
          )}
          {isCompleting && <FilterSuggestions id={id} resource={resource} state={completion} />}
        </div>
        <span className={counted} role="status">
          {table.total > 0 && (
            <>
              <b>{format.number(resource.pages ? table.ids.length : table.matched)}</b>{' '}
              {t('ui.list.ofTotal', { total: table.total })}
            </>
          )}
        </span>
        {!hasFacetMenu && <FilterMenu resource={resource} list={list} />}
        <SortMenu resource={resource} list={list} columns={table.columns} />
        {!isPhone && <ColumnMenu resource={resource} />}
      </div>
      {hasFacetMenu && problemField(resource) !== null && <FacetStrip resource={resource} list={list} table={table} />}
      {problem && filter !== '' && (
        <p className={problemStyle} id={`filter-problem-${resource.name}`}>
          <Icon name="circle-alert" size={12} />
          {say(selectionProblemKey(problem), problem.params)}
        </p>
      )}
    </search>
  )
}

/** Colors the tokens without moving characters. Adjacent tokens are one term. */
function Coloured({ text }: { text: string }) {
  const terms = tokens(text).reduce<Token[][]>((groups, token) => {
    const last = groups.at(-1)
    if (last?.at(-1)?.to === token.from) last.push(token)
    else groups.push([token])
    return groups
  }, [])
  return terms.map((term, index) => {
    const [from, before] = [firstItem(term).from, terms[index - 1]?.at(-1)?.to ?? 0]
    return (
      <span key={from}>
        {text.slice(before, from)}
        <span className={css.term}>
          {term.map((token) => (
            <span key={token.from} className={tokenStyles[token.kind]}>
              {text.slice(token.from, token.to)}
            </span>
          ))}
        </span>
      </span>
    )
  })
}

type CompletionState = ReturnType<typeof useCompletion>

/** Completes a filter in the selection language. `put` sets its text. */
function useCompletion(resource: Resource, input: RefObject<HTMLInputElement | null>, put: (text: string) => void) {
  const [found, setFound] = useState<Completions | null>(null)
  const [chosen, setChosen] = useState(-1)
  const caret = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (caret.current === null) return
    input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })
  const completeAt = (text: string, place: number) => {
    const next = completions(resource, text, place, view)
    const items = next.items.filter((item) => item.text !== text.slice(next.from, next.to))
    setFound(items.length === 0 ? null : { ...next, items })
    setChosen(-1)
  }
  const update = () => {
    const { value = '', selectionStart = 0 } = input.current ?? {}
    completeAt(value, selectionStart ?? value.length)
  }
  const close = () => setFound(null)
  const take = (item: Completion) => {
    if (!found || !input.current) return
    const { value } = input.current
    const rest = value.slice(found.to)
    const done = item.kind !== 'term' && rest === '' ? `${item.text} ` : item.text
    const text = value.slice(0, found.from) + done + rest
    caret.current = found.from + done.length
    put(text)
    if (item.kind === 'term') completeAt(text, caret.current)
    else close()
  }
  const items = found?.items ?? []
  return {
    items,
    chosen,
    update,
    close,
    take,
    /** Arrows move, Tab and Enter take, Escape closes. Returns whether the key was handled. */
    press({ key, shiftKey, nativeEvent }: KeyboardEvent) {
      if (nativeEvent.isComposing) return false
      if (found === null) {
        if (key !== 'ArrowDown') return false
        update()
        return true
      }
      const step = ({ ArrowDown: 1, ArrowUp: -1 } as const)[key]
      if (step) setChosen((chosen + step + items.length + (chosen < 0 && step < 0 ? 1 : 0)) % items.length)
      else if (key === 'Escape') close()
      else if (key === 'Tab' && !shiftKey) take(items[Math.max(0, chosen)]!)
      else if (key === 'Enter' && chosen >= 0) take(items[chosen]!)
      else {
        if (key.length > 1 && key !== 'Backspace' && key !== 'Delete') close()
        return false
      }
      return true
    },
  }
}
