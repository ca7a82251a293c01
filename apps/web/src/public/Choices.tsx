import { type Language, languages } from '@qd/core/i18n'
import { type ChangeEvent, useEffect, useState } from 'react'
import { ports } from '../base/ports.ts'
import { showLanguage, useTexts } from '../base/state/texts.ts'
import * as css from './Public.css.ts'

export function ThemeChoice() {
  const { t } = useTexts()
  const [isDark, setDark] = useState(() => document.documentElement.dataset.theme === 'dark')
  const turn = () => {
    ports.storage.set('vite-ui-theme', isDark ? 'light' : 'dark')
    setDark(!isDark)
  }
  useEffect(() => {
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  }, [isDark])
  useEffect(() => {
    const machine = matchMedia('(prefers-color-scheme: dark)')
    const follow = ({ matches }: MediaQueryListEvent) => {
      if ((ports.storage.get('vite-ui-theme') ?? 'system') === 'system') setDark(matches)
    }
    machine.addEventListener('change', follow)
    return () => machine.removeEventListener('change', follow)
  }, [])
  const label = t(isDark ? 'ui.commands.theme.light' : 'ui.commands.theme.dark')
  return (
    <button type="button" className={css.choice} aria-label={label} title={label} onClick={turn}>
      <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden="true">
        <circle cx="8" cy="8" r="5.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M8 2.75a5.25 5.25 0 0 1 0 10.5z" fill="currentColor" />
      </svg>
    </button>
  )
}

const scripts: Partial<Record<Language, string>> = { 'zh-CN': 'zh-Hans', 'zh-TW': 'zh-Hant' }
const nameOf = (language: Language) =>
  new Intl.DisplayNames([language], { type: 'language' }).of(scripts[language] ?? language.slice(0, 2)) ?? language

export function LanguageChoice() {
  const { t, translator } = useTexts()
  const choose = ({ target }: ChangeEvent<HTMLSelectElement>) => {
    const language = languages.find((known) => known === target.value)!
    ports.storage.set('language', language)
    void showLanguage(language)
  }
  return (
    <select className={css.language} aria-label={t('ui.frame.language')} value={translator.language} onChange={choose}>
      {languages.map((language) => (
        <option key={language} value={language} lang={language}>
          {nameOf(language)}
        </option>
      ))}
    </select>
  )
}
