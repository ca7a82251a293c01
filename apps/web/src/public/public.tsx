import type { Observable } from '@legendapp/state'
import { languages } from '@qd/core/i18n'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { injectCode } from '../base/custom-code.ts'
import { cookies, ports } from '../base/ports.ts'
import { lazyPart } from '../base/state/lazy-part.ts'
import { productName } from '../base/state/product.ts'
import { preferredLanguage, showLanguage } from '../base/state/texts.ts'
import { type PublicState, startFeed } from './feed.ts'
import { PublicPage } from './PublicPage.tsx'

/** The status page loads only these texts. */
const publicTexts = ['ui'] as const

const Wall = lazyPart(async () => (await import('./Wall.tsx')).Wall)

const pageOf = (state$: Observable<PublicState>): ReactNode =>
  location.pathname === '/wall' ? (
    <Wall state$={state$} />
  ) : (
    <PublicPage state$={state$} hasSession={cookies.get('nz-csrf') !== null} />
  )

export async function startPublicPage(root: HTMLElement): Promise<void> {
  const state$ = startFeed()
  const chosen = () => languages.find((language) => language === ports.storage.get('language')) ?? null
  // Frames that arrive while the texts load count too.
  state$.site.onChange(({ value }) => {
    document.title = value || productName
  })
  state$.code.onChange(({ value }) => void injectCode(value))
  await showLanguage(preferredLanguage(chosen(), document.documentElement.lang), publicTexts)
  const follow = (language: unknown) => {
    if (language && chosen() === null) void showLanguage(preferredLanguage(null, language))
  }
  state$.language.onChange(({ value }) => follow(value))
  follow(state$.language.peek())
  createRoot(root).render(<StrictMode>{pageOf(state$)}</StrictMode>)
}
