import { when } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import { resources } from '@qd/core/resources'
import { Suspense, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { BrowserRouter, Navigate, Outlet, Route, Routes, useLocation, useNavigate } from 'react-router-dom'
import { onCommands } from '../act/keys/commands.ts'
import { copyList, loadPipeline, openRow } from '../act/perform/lazy-perform.ts'
import { Arrived } from '../act/places/arrival.ts'
import { logsPath, navigate, rememberStep, setNavigate } from '../act/places/navigate.ts'
import { whenIdle } from '../base/ports.ts'
import { lazyPart } from '../base/state/lazy-part.ts'
import { notices, overlays$, questions } from '../base/state/overlays.ts'
import { records, session } from '../base/state/stores.ts'
import { useTexts } from '../base/state/texts.ts'
import * as css from '../record/errors/ErrorPage.css.ts'
import { ErrorBoundary, ErrorPage } from '../record/errors/ErrorPage.tsx'
import { ListPage } from '../record/list/ResourceList.tsx'
import { Button } from '../ui/Button.tsx'
import { loadMenus } from '../ui/overlays/Menu.tsx'
import { Frame } from './screens/frame/Frame.tsx'

const Overlays = lazyPart(async () => (await import('./hosts/Overlays.tsx')).Overlays)
const SignInAgain = lazyPart(async () => (await import('./screens/sign-in/SignInAgain.tsx')).SignInAgain)
const StepUp = lazyPart(async () => (await import('./screens/sign-in/StepUp.tsx')).StepUp)
const Login = lazyPart(async () => (await import('./screens/sign-in/Login.tsx')).Login)
const DetailPage = lazyPart(async () => (await import('../record/detail/Sections.tsx')).DetailPage)
const Account = lazyPart(async () => (await import('./screens/settings/Account.tsx')).Account)
const LogsPage = lazyPart(async () => (await import('./screens/logs/LogsPage.tsx')).LogsPage)
const Settings = lazyPart(async () => (await import('./screens/settings/Settings.tsx')).Settings)

const TerminalPage = lazyPart(async () => (await import('../terminal/TerminalPage.tsx')).TerminalPage)

const lists = resources.filter(({ wire }) => wire.shape === 'many')
const pages = lists.filter(({ detail }) => detail.isPage)

export function App() {
  return (
    <BrowserRouter>
      <Router />
      <ErrorBoundary>
        <Suspense>
          <Routes>
            <Route
              path="/dashboard/login"
              element={
                <>
                  <Login />
                  <Arrived />
                </>
              }
            />
            <Route element={<SignedIn />}>
              <Route path="/dashboard/terminal/:id" element={<TerminalPage />} />
            </Route>
            <Route element={<SignedIn isFramed />}>
              {lists.map((resource) => (
                <Route
                  key={resource.name}
                  path={resource.path}
                  element={<ListPage key={resource.name} resource={resource} />}
                />
              ))}
              {pages.map((resource) => (
                <Route
                  key={resource.name}
                  path={`${resource.path}/:id`}
                  element={<DetailPage key={resource.name} resource={resource} />}
                />
              ))}
              <Route path={logsPath} element={<LogsPage />} />
              <Route path="/dashboard/profile" element={<Account />} />
              <Route path="/dashboard/settings" element={<Settings />} />
              <Route path="*" element={<NotFound />} />
            </Route>
          </Routes>
        </Suspense>
        <AtNeed />
        <QuestionHost />
      </ErrorBoundary>
    </BrowserRouter>
  )
}

function Router() {
  const navigate = useNavigate()
  const { pathname, key } = useLocation()
  useEffect(() => setNavigate(navigate), [navigate])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step has a key of its own
  useLayoutEffect(() => rememberStep(pathname), [pathname, key])
  return null
}

/**
 * A page for signed-in users, in the frame or a window of its own. Guests go to the sign-in page. Until the server
 * answers, shows the last known state.
 */
function SignedIn({ isFramed = false }: { isFramed?: boolean }) {
  const isGuest = useValue(() => session.state$.status.get() === 'guest')
  const isKnown = useValue(() => session.state$.profile.get() !== null)
  const error = useValue(session.state$.error)
  const { pathname, search } = useLocation()
  // Requested before the user is known, the answers would be discarded.
  useEffect(() => (isKnown ? records.watch('server') : undefined), [isKnown])
  useEffect(() => (isKnown ? records.watch('server-group') : undefined), [isKnown])
  if (isGuest) return <Navigate to="/dashboard/login" state={{ asked: pathname + search }} replace />
  if (!isKnown) return error && <ErrorPage thrown={error} onRetry={() => void session.start().catch(() => undefined)} />
  const page = (
    <Suspense>
      <Outlet />
      <Arrived />
    </Suspense>
  )
  if (!isFramed) return page
  return (
    <Frame>
      <ErrorBoundary key={pathname} around="page">
        {page}
      </ErrorBoundary>
    </Frame>
  )
}

const hasLists = () => resources.every(({ name }) => records.list$(name).status.get() !== 'loading')

/** Loads overlays on the first interaction or when first needed; a page that is only viewed does without. */
function AtNeed() {
  const [isNear, setNear] = useState(false)
  const isWanted = useValue(() => Object.values(overlays$.get()).some(Boolean))
  const isAsked = useSyncExternalStore(questions.subscribe, questions.current) !== null
  const isSaid = useSyncExternalStore(notices.subscribe, notices.areWaiting)
  // Before the overlays’ effects, whose handlers come first.
  useLayoutEffect(() => onCommands({ openLink: () => void openRow(), copyCli: () => void copyList() }), [])
  useLayoutEffect(() => {
    const load = () => {
      setNear(true)
      void loadMenus()
      void loadPipeline()
    }
    const signs = new AbortController()
    const begin = () => {
      signs.abort()
      // By the first idle moment the page has requested its lists, which go first.
      whenIdle(() => void when(hasLists).then(() => whenIdle(load, { timeout: 2000 })))
    }
    for (const sign of ['pointermove', 'pointerdown', 'keydown'])
      addEventListener(sign, begin, { signal: signs.signal, capture: true, passive: true })
    return () => signs.abort()
  }, [])
  // Stays mounted for its messages’ timers.
  const isDrawn = useRef(false)
  isDrawn.current ||= isNear || isWanted || isAsked || isSaid
  return isDrawn.current ? (
    <Suspense>
      <Overlays />
    </Suspense>
  ) : null
}

/** Signs in again over the page after the session ended, or confirms the password. */
function QuestionHost() {
  const hasEnded = useValue(() => session.state$.status.get() === 'ended')
  const needsProof = useValue(session.state$.needsProof)
  if (!hasEnded && !needsProof) return null
  return <Suspense>{hasEnded ? <SignInAgain /> : <StepUp />}</Suspense>
}

function NotFound() {
  const { t } = useTexts()
  const { pathname } = useLocation()
  return (
    <div className={css.page}>
      <div className={css.box}>
        <h1 className={css.title}>{t('ui.error.notFound')}</h1>
        <p className={css.text}>{t('ui.error.notFoundText', { path: pathname })}</p>
        <div className={css.row}>
          <Button tone="primary" onPress={() => navigate('/dashboard')}>
            {t('ui.error.back')}
          </Button>
        </div>
      </div>
    </div>
  )
}
