import { languages } from '@qd/core/i18n'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { cookies, ports } from '../ports.ts'
import { preferredLanguage, showLanguage } from '../texts.ts'
import { startFeed } from './feed.ts'
import { PublicPage } from './PublicPage.tsx'

/** Starts the public page. */
export async function startPublicPage(root: HTMLElement): Promise<void> {
  const state$ = startFeed()
  const chosen = languages.find((language) => language === ports.storage.get('language')) ?? null
  await showLanguage(preferredLanguage(chosen, null))
  state$.site.onChange(({ value }) => {
    document.title = value
  })
  createRoot(root).render(
    <StrictMode>
      <PublicPage state$={state$} hasSession={cookies.get('nz-csrf') !== null} />
    </StrictMode>,
  )
}
