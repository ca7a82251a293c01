import { observable } from '@legendapp/state'
import { toAppError } from '@qd/core/errors'
import { resources } from '@qd/core/resources'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { listenToKeys } from './keys.ts'
import { notifyError } from './perform.ts'
import { records, session } from './stores.ts'
import { preferredLanguage, showLanguage } from './texts.ts'
import { followTheme } from './theme.ts'

/** Starts the console: language, theme, keys and session, then the first page. */
export async function startConsole(root: HTMLElement): Promise<void> {
  const language$ = observable(() =>
    preferredLanguage(session.state$.language.get(), records.row$('setting', 1).get()?.language),
  )
  const isReady = showLanguage(language$.get())
  const started = session.start().catch((thrown: unknown) => toAppError(thrown))
  await isReady
  language$.onChange(({ value }) => void showLanguage(value))
  followTheme()
  listenToKeys()
  addEventListener('focus', () => void records.refresh(resources.map(({ name }) => name)))
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  const failed = await started
  if (failed) notifyError(failed)
}
