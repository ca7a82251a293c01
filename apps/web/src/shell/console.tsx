import { observable } from '@legendapp/state'
import type { ResourceName } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import { resources } from '@qd/core/resources'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { listenToKeys } from '../act/keys/keys.ts'
import { keepTyping } from '../act/keys/typed-ahead.ts'
import { notifyError } from '../act/perform/late.ts'
import { guardBack } from '../act/places/back.ts'
import { isFormOpen } from '../base/state/form-leaving.ts'
import { unsay } from '../base/state/overlays.ts'
import { flushWaiting, live, records, session } from '../base/state/stores.ts'
import { onTabMessage } from '../base/state/tabs.ts'
import { preferredLanguage, showLanguage } from '../base/state/texts.ts'
import { followTheme } from '../base/state/theme.ts'
import { App } from './App.tsx'
import { followDashboardCode } from './dashboard-code.ts'

/** Asks who is signed in; a failure is said. */
function startSession(keepsPage = false): Promise<void> {
  return session.start({ keepsPage }).then(
    () => unsay('sign-in'),
    (thrown: unknown) => notifyError(toAppError(thrown), 'sign-in'),
  )
}

/** Starts the console: language, theme, keys and session, then the first page. */
export async function startConsole(root: HTMLElement): Promise<void> {
  const language$ = observable(() =>
    preferredLanguage(
      session.state$.language.get(),
      records.row$('setting', 1).get()?.language ?? document.documentElement.lang,
    ),
  )
  const isReady = showLanguage(language$.get())
  const started = session.start().catch((thrown: unknown) => toAppError(thrown))
  await isReady
  language$.onChange(({ value }) => void showLanguage(value))
  followTheme()
  onTabMessage((message) => {
    if (message === 'leaving') void flushWaiting()
    // What is typed here outlives a sign-out in another tab: the person is asked to sign in again over it.
    else void startSession(isFormOpen())
  })
  guardBack()
  keepTyping()
  listenToKeys()
  // The server is back: who is signed in is still to be asked.
  live.state$.feed.onChange(({ value }) => {
    if (value.status === 'live' && session.state$.status.peek() === 'unknown') void startSession()
  })
  // A request under way is new enough. A second request would only discard its answer.
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
  if (failed) void notifyError(failed, 'sign-in')
}
