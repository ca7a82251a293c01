import { useValue } from '@legendapp/state/react'
import { resources } from '@qd/core/resources'
import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { matchPath, navigate, usePlace } from './navigate.ts'
import { lazyPart } from './part.ts'
import { ErrorBoundary } from './screens/ErrorPage.tsx'
import { Frame } from './screens/Frame.tsx'
import { NotFound } from './screens/NotFound.tsx'
import { records, session } from './stores.ts'
import { useTexts } from './texts.ts'
import { loadMenus } from './ui/Menu.tsx'
import { ResourceList } from './views/ResourceList.tsx'

const Overlays = lazyPart(async () => (await import('./views/Overlays.tsx')).Overlays)
const SignInAgain = lazyPart(async () => (await import('./screens/SignInAgain.tsx')).SignInAgain)
const Login = lazyPart(async () => (await import('./screens/Login.tsx')).Login)
const RunResults = lazyPart(async () => (await import('./screens/RunResults.tsx')).RunResults)
const Account = lazyPart(async () => (await import('./screens/Account.tsx')).Account)
const Settings = lazyPart(async () => (await import('./screens/Settings.tsx')).Settings)

/** Pages beside the lists of resources, by their addresses. */
const screens: Readonly<Record<string, ComponentType<{ id: number }>>> = {
  '/dashboard/run/:id': RunResults,
  '/dashboard/profile': Account,
  '/dashboard/settings': Settings,
}

/** All pages of the console. */
export function App() {
  const { translator } = useTexts()
  return (
    <I18nProvider locale={translator.language}>
      <ErrorBoundary>
        <Suspense>
          <Page />
        </Suspense>
        <AtIdle />
        <Asked />
      </ErrorBoundary>
    </I18nProvider>
  )
}

/** The page of the present address, in its frame; a guest goes to the sign-in page, and from there back to where they wanted. */
function Page() {
  const { pathname } = usePlace()
  const isGuest = useValue(() => session.state$.status.get() === 'guest')
  const isKnown = useValue(() => session.state$.profile.get() !== null)
  const isLogin = matchPath('/dashboard/login', pathname) !== null
  useEffect(() => {
    if (isGuest && !isLogin) navigate('/dashboard/login', { replace: true })
  }, [isGuest, isLogin])
  if (isLogin) return <Login />
  return isKnown && !isGuest ? <SignedIn pathname={pathname} /> : null
}

function SignedIn({ pathname }: { pathname: string }) {
  useEffect(() => records.watch('server'), [])
  useEffect(() => records.watch('server-group'), [])
  return (
    <Frame>
      <Suspense>{contentOf(pathname)}</Suspense>
    </Frame>
  )
}

function contentOf(pathname: string): ReactNode {
  const resource = resources.find(({ wire, path }) => wire.shape === 'many' && matchPath(path, pathname))
  if (resource) return <ResourceList key={resource.name} resource={resource} />
  for (const [pattern, Screen] of Object.entries(screens)) {
    const values = matchPath(pattern, pathname)
    if (values) return <Screen id={Number(values['id'])} />
  }
  return <NotFound />
}

/** What floats over the page is fetched when the page stands, or when it is first asked for. */
function AtIdle() {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const idle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500))
    idle(
      () => {
        setIdle(true)
        void loadMenus()
      },
      { timeout: 2000 },
    )
  }, [])
  return isIdle ? (
    <Suspense>
      <Overlays />
    </Suspense>
  ) : null
}

/** Signing in again over the page, when the session ended meanwhile. */
function Asked() {
  const hasEnded = useValue(() => session.state$.status.get() === 'ended')
  return hasEnded ? (
    <Suspense>
      <SignInAgain />
    </Suspense>
  ) : null
}
