import { observable, observe } from '@legendapp/state'
import type { Cancel } from '@qd/core/api'
import type { ResourceName } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import { resources } from '@qd/core/resources'
import type { Theme } from '@qd/core/store'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { listenToKeys } from '../act/keys/keys.ts'
import { keepTyping } from '../act/keys/typed-ahead.ts'
import { notifyError } from '../act/perform/lazy-perform.ts'
import { stepHere, stepIn } from '../act/places/navigate.ts'
import { isFormOpen, leaveForm } from '../base/state/form-leaving.ts'
import { notify, overlays$, questions, unsay } from '../base/state/overlays.ts'
import { flushWaiting, live, records, session } from '../base/state/stores.ts'
import { onTabMessage } from '../base/state/tabs.ts'
import { preferredLanguage, showLanguage, texts } from '../base/state/texts.ts'
import { injectCode } from '../public/custom-code.ts'
import { App } from './App.tsx'

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
  const isLoading = (name: ResourceName) => records.list$(name).status.peek() === 'loading'
  addEventListener(
    'focus',
    () => void records.refresh(resources.map(({ name }) => name).filter((name) => !isLoading(name))),
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

/**
 * Back with something open over the page is about that, not about the page behind it: a form asks before it goes, all else closes.
 * To be called before the router listens. Returns the function that ends it.
 */
function guardBack(): Cancel {
  let isReturning = false
  const listen = (event: PopStateEvent) => {
    const steps = stepHere() - stepIn(event.state)
    if (isReturning || (steps !== 0 && isSomethingOpen())) event.stopImmediatePropagation()
    else return
    if (isReturning) {
      isReturning = false
      return
    }
    isReturning = true
    history.go(steps)
    closeTop()
  }
  addEventListener('popstate', listen, { capture: true })
  return () => removeEventListener('popstate', listen, { capture: true })
}

function isSomethingOpen(): boolean {
  return questions.current() !== null || isFormOpen() || Object.values(overlays$.peek()).some(Boolean)
}

/** Closes what lies on top; a secret that is shown once stays. */
function closeTop(): void {
  const asked = questions.current()
  const { palette, keys, activity, report } = overlays$.peek()
  if (asked && asked.question.args === null) asked.answer(null)
  else if (palette) overlays$.palette.set(null)
  else if (isFormOpen()) void leaveForm()
  else if (keys || activity || report) overlays$.assign({ keys: false, activity: false, report: null })
}

/** The theme on screen for a choice: `system` follows the machine. */
function resolveTheme(theme: Theme): 'light' | 'dark' {
  if (theme !== 'system') return theme
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Keeps the attribute on the root in step with the choice and the machine; `theme/first-paint.ts` set it before the first paint. */
function followTheme(): void {
  const apply = () => {
    document.documentElement.dataset.theme = resolveTheme(session.state$.theme.peek())
  }
  session.state$.theme.onChange(apply)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply)
  apply()
}

/**
 * Follows the administrator's own code for the console (decisions.md "Custom code"): signed-in pages only. Nothing takes a running
 * script back, so the page is loaded anew when the sign-in ends before the sign-in page is shown.
 */
function followDashboardCode(): void {
  let injected = ''
  observe(() => {
    const status = session.state$.status.get()
    const code = records.row$('setting', 1).get()?.custom_code_dashboard
    if (status === 'guest' && injected !== '') location.replace('/dashboard/login')
    if (status !== 'signedIn' || typeof code !== 'string' || code === injected) return
    injected = code
    void injectCode(code)
    if (code === '') notify({ tone: 'plain', title: texts().t('ui.settings.codeRemoved') })
  })
}
