import { observable } from '@legendapp/state'
import type { ResourceName } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import { resources } from '@qd/core/resources'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { guardBack } from './back.ts'
import { followDashboardCode } from './dashboard-code.ts'
import { listenToKeys } from './keys.ts'
import { notifyError } from './perform.ts'
import { live, records, runner, session } from './stores.ts'
import { onTabMessage } from './tabs.ts'
import { preferredLanguage, showLanguage } from './texts.ts'
import { followTheme } from './theme.ts'
import { keepTyping } from './typed-ahead.ts'

/** Asks who is signed in; a failure is said. */
function startSession(): Promise<void> {
  return session.start().catch((thrown: unknown) => notifyError(toAppError(thrown)))
}

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
  onTabMessage((message) => {
    if (message === 'leaving') void runner.waiting.flush()
    else void startSession()
  })
  guardBack()
  keepTyping()
  listenToKeys()
  // The server is back: who is signed in is still to be asked.
  live.state$.feed.onChange(({ value }) => {
    if (value.status === 'live' && session.state$.status.peek() === 'unknown') void startSession()
  })
  // What is on its way is new enough; asking for it again would only throw the answer away.
  const isComing = (name: ResourceName) => records.list$(name).status.peek() === 'loading'
  addEventListener(
    'focus',
    () => void records.refresh(resources.map(({ name }) => name).filter((name) => !isComing(name))),
  )
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  followDashboardCode()
  const failed = await started
  if (failed) notifyError(failed)
}
