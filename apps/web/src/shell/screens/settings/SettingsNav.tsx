import { useValue } from '@legendapp/state/react'
import { fieldKey, textKey } from '@qd/core/define'
import { setting } from '@qd/core/resources'
import { withoutUnsupported } from '@qd/core/view'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { onCommand } from '../../../act/keys/commands.ts'
import { session } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { focusField } from '../../../record/form/form-state.ts'
import { SearchInput } from '../../../ui/inputs/SearchInput.tsx'
import * as css from './Settings.css.ts'

interface Place {
  section: string
  field: string | null
  text: string
}

/** Sections and a search for fields by label and help. `/` focuses it. */
export function SettingsNav({ root }: { root: { current: HTMLElement | null } }) {
  const { t, say, translator } = useTexts()
  const [query, setQuery] = useState('')
  const [current, setCurrent] = useState('browser')
  const nav = useRef<HTMLElement>(null)
  const form = useValue(() => withoutUnsupported(setting, session.supports).form)
  const sections: Place[] = [
    { section: 'browser', field: null, text: t('ui.settings.browser') },
    { section: 'keys', field: null, text: t('ui.settings.keys') },
    ...form.map(({ group }) => ({
      section: group,
      field: null,
      text: say(textKey.group(setting.name, group)),
    })),
  ]
  const fields: Place[] = form.flatMap(({ group, fields: inGroup }) =>
    inGroup.map(({ field }) => ({ section: group, field, text: say(fieldKey(setting, field)) })),
  )
  const needle = query.trim().toLocaleLowerCase()
  const wordsOf = ({ field, text }: Place) => {
    const help = field === null ? '' : textKey.help(setting.name, field)
    return `${text} ${help !== '' && translator.has(help) ? say(help) : ''} ${field ?? ''}`.toLocaleLowerCase()
  }
  const shown = needle === '' ? sections : [...sections, ...fields].filter((place) => wordsOf(place).includes(needle))
  const isGoing = useFollowed(root, setCurrent)
  const go = ({ section, field }: Place) => {
    setCurrent(section)
    const find = () => root.current?.querySelector<HTMLElement>(`[data-section="${section}"]`)
    const show = (part: HTMLElement) => {
      const before = part.getBoundingClientRect().top
      part.scrollIntoView({ block: 'start' })
      if (field !== null) focusField(part, field)
      isGoing.current = part.getBoundingClientRect().top !== before
    }
    const part = find()
    if (part) return show(part)
    // The form is loading: scroll when it appears.
    const observer = new MutationObserver(() => {
      const come = find()
      if (!come) return
      observer.disconnect()
      show(come)
    })
    if (root.current) observer.observe(root.current, { childList: true, subtree: true })
  }
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each press of a link leads to its field once
  useEffect(() => {
    const place = fields.find(({ field }) => field === hash.slice(1))
    if (place) go(place)
  }, [hash, key])
  useEffect(() => onCommand('filter', () => nav.current?.querySelector('input')?.select()), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && shown[0]) {
      event.preventDefault()
      go(shown.find(({ field }) => field !== null) ?? shown[0])
    }
    if (event.key === 'Escape') setQuery('')
  }
  return (
    <nav ref={nav} className={css.nav} aria-label={t('ui.settings.sections')}>
      <div className={css.search}>
        <SearchInput label={t('ui.settings.search')} value={query} onChange={setQuery} onKeyDown={onKeyDown} />
      </div>
      <div className={needle === '' ? css.list : css.found}>
        {shown.map((place) => (
          <button
            key={`${place.section} ${place.field}`}
            type="button"
            className={css.item}
            aria-current={needle === '' && place.section === current ? 'true' : undefined}
            onClick={() => go(place)}
          >
            {place.text}
          </button>
        ))}
        {shown.length === 0 && (
          <p className={css.none} role="status">
            {t('ui.list.noResults')}
          </p>
        )}
      </div>
    </nav>
  )
}

/** A section with less than this many px visible counts as read. */
const edge = 24

/** Reports the section being read. Setting the ref skips one scroll, after a jump. */
function useFollowed(root: { current: HTMLElement | null }, tell: (section: string) => void): { current: boolean } {
  const isGoing = useRef(false)
  useEffect(() => {
    const follow = ({ target }: Event) => {
      const scrolled = target instanceof Element ? target : document.documentElement
      if (!root.current || !scrolled.contains(root.current)) return
      if (isGoing.current) {
        isGoing.current = false
        return
      }
      const top = Math.max(0, scrolled.getBoundingClientRect().top) + edge
      const sections = [...root.current.querySelectorAll<HTMLElement>('[data-section]')]
      const isAtEnd = scrolled.scrollTop + scrolled.clientHeight >= scrolled.scrollHeight - 1
      const present = isAtEnd ? sections.at(-1) : sections.find((one) => one.getBoundingClientRect().bottom > top)
      if (present?.dataset.section) tell(present.dataset.section)
    }
    addEventListener('scroll', follow, { capture: true, passive: true })
    return () => removeEventListener('scroll', follow, { capture: true })
  }, [root, tell])
  return isGoing
}
