import { toAppError } from '@qd/core/errors'
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
  const language = () => preferredLanguage(session.state$.language.peek(), records.peek('setting', 1)?.language)
  const isReady = showLanguage(language())
  const started = session.start().catch((thrown: unknown) => toAppError(thrown))
  await isReady
  followTheme()
  listenToKeys()
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  const failed = await started
  if (failed) notifyError(failed)
  addEventListener('focus', () => void records.refresh(watchedOnFocus()))
}

/** Lists that are asked for again when the window gets the focus: those on screen. */
function watchedOnFocus() {
  return records.peekAll('setting').length > 0 ? (['server', 'server-group', 'cron', 'run'] as const) : []
}
