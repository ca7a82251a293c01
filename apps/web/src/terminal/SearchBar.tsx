import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTexts } from '../base/state/texts.ts'
import { IconButton } from '../ui/Button.tsx'
import { SearchInput } from '../ui/inputs/SearchInput.tsx'
import type { Screen, Search, SearchResult } from './screen.ts'
import * as css from './TerminalPage.css.ts'

/** Enter searches forward, Shift+Enter back, Escape closes (behaviour W-09). */
export function SearchBar({
  screen,
  found,
  onClose,
}: {
  screen: Screen
  found: SearchResult | null
  onClose: () => void
}) {
  const { t } = useTexts()
  const [search, setSearch] = useState<Search>({ text: '', isCase: false, isRegex: false })
  const [isBad, setBad] = useState(false)
  const find = (wanted: Search, direction: 'next' | 'previous', incremental = false) => {
    try {
      screen.search(wanted, direction, incremental)
      setBad(false)
    } catch {
      setBad(true)
    }
  }
  const change = (part: Partial<Search>) => {
    const wanted = { ...search, ...part }
    setSearch(wanted)
    find(wanted, 'next', true)
  }
  useEffect(() => () => screen.endSearch(), [screen])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement)
      find(search, event.shiftKey ? 'previous' : 'next')
    else return
    event.preventDefault()
  }
  const said = () => {
    if (isBad) return t('ui.terminal.search.bad')
    if (search.text === '' || !found) return ''
    return found.total === 0 ? t('ui.terminal.search.none') : t('ui.terminal.search.at', { ...found })
  }
  return (
    <search className={css.searchBar} onKeyDown={onKeyDown}>
      <span className={css.text}>
        <SearchInput
          label={t('ui.terminal.search.label')}
          value={search.text}
          onChange={(text) => change({ text })}
          isFirst
        />
      </span>
      <span className={css.found} role="status">
        {said()}
      </span>
      <Toggle
        label={t('ui.terminal.search.case')}
        isOn={search.isCase}
        onChange={(isCase) => change({ isCase })}
        sign="Aa"
      />
      <Toggle
        label={t('ui.terminal.search.regex')}
        isOn={search.isRegex}
        onChange={(isRegex) => change({ isRegex })}
        sign=".*"
      />
      <IconButton
        label={t('ui.terminal.search.previous')}
        icon="arrow-up"
        size="small"
        onPress={() => find(search, 'previous')}
      />
      <IconButton
        label={t('ui.terminal.search.next')}
        icon="arrow-down"
        size="small"
        onPress={() => find(search, 'next')}
      />
      <IconButton label={t('ui.frame.close')} icon="x" size="small" onPress={onClose} />
    </search>
  )
}

function Toggle({
  label,
  sign,
  isOn,
  onChange,
}: {
  label: string
  sign: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}) {
  return (
    <button
      type="button"
      className={css.toggle}
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
    >
      {sign}
    </button>
  )
}
