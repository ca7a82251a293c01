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
import { injectCode } from '../base/custom-code.ts'
import { isFormOpen, leaveForm } from '../base/state/form-leaving.ts'
import { notify, overlays$, questions, unsay } from '../base/state/overlays.ts'
import { flushWaiting, live, records, session } from '../base/state/stores.ts'
import { onTabMessage } from '../base/state/tabs.ts'
import { preferredLanguage, showLanguage, texts } from '../base/state/texts.ts'
import { App } from './App.tsx'

/** Asks who is signed in; shows a failure. */
function startSession(keepsPage = false): Promise<void> {
  return session.start({ keepsPage }).then(
    () => unsay('sign-in'),
    (thrown: unknown) => notifyError(toAppError(thrown), 'sign-in'),
  )
}

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
    // Unsaved input survives a sign-out in another tab: sign in again over the page.
    else void startSession(isFormOpen())
  })
  guardBack()
  keepTyping()
  listenToKeys()
  // The server is back, and the user is still unknown.
  live.state$.feed.onChange(({ value }) => {
    if (value.status === 'live' && session.state$.status.peek() === 'unknown') void startSession()
  })
  // A pending request is new enough. A second request would only discard its answer.
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
 * Back closes what is open over the page, not the page; a form asks first. Call it before the router listens. Returns
 * the function that ends it.
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

/** Closes the top overlay, except a secret that is shown once. */
function closeTop(): void {
  const asked = questions.current()
  const { palette, keys, activity, report } = overlays$.peek()
  if (asked && asked.question.args === null) asked.answer(null)
  else if (palette) overlays$.palette.set(null)
  else if (isFormOpen()) void leaveForm()
  else if (keys || activity || report) overlays$.assign({ keys: false, activity: false, report: null })
}

/** `system` follows the machine. */
function resolveTheme(theme: Theme): 'light' | 'dark' {
  if (theme !== 'system') return theme
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** `theme/first-paint.ts` sets the attribute before the first paint. */
function followTheme(): void {
  const apply = () => {
    document.documentElement.dataset.theme = resolveTheme(session.state$.theme.peek())
  }
  session.state$.theme.onChange(apply)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply)
  apply()
}

/**
 * Injects the administrator’s code into signed-in pages (decisions.md "Custom code"). A running script can’t be
 * removed, so signing out reloads the page.
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
    // Behind the message of the save, which would hide it.
    if (code === '') setTimeout(() => notify({ tone: 'plain', title: texts().t('ui.settings.codeRemoved') }))
  })
}
