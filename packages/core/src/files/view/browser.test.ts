import { expect, test } from 'vitest'
import { AppError } from '../../errors.ts'
import { createFileBrowser } from './browser.ts'

const folders: Record<string, readonly string[]> = {
  '/': ['etc/', 'home/', 'srv/'],
  '/etc': ['nginx/', 'hosts'],
  '/etc/nginx': ['nginx.conf', 'sites/'],
  '/home/me': ['notes.txt'],
  '/srv': ['beta', 'alpha/', 'bravo'],
}

function setup() {
  const asked: string[] = []
  const seen: string[] = []
  const browser = createFileBrowser({
    onArrive: (path) => seen.push(path),
    async list(path) {
      asked.push(path)
      if (path === '/gone') throw new AppError('failed', { text: 'gone' })
      // As agents do: what cannot be read is answered with the home folder.
      const found = folders[path] ? path : '/home/me'
      const entries = folders[found]!.map((name) => ({
        name: name.replace('/', ''),
        kind: name.endsWith('/') ? ('folder' as const) : ('file' as const),
      }))
      return { path: found === '/home/me' ? '/home/me/' : found, entries }
    },
  })
  const names = () => browser.state().shown.map(({ name }) => name)
  return { browser, asked, seen, names, at: () => browser.state().path }
}

test('the first folder is the home folder, or the one of the address', async () => {
  const first = setup()
  await first.browser.go('')
  expect(first.at()).toBe('/home/me')
  expect(first.browser.state()).toMatchObject({ status: 'ready', home: '/home/me', refused: null, cursor: 0 })
  const second = setup()
  await second.browser.go('/etc/')
  expect(second.asked).toEqual(['/etc'])
})

test('W-19: a folder that cannot be read is told where another one is shown', async () => {
  const { browser, at, seen } = setup()
  await browser.go('/root')
  expect(at()).toBe('/home/me')
  expect(browser.state().refused).toBe('/root')
  expect(seen).toEqual([])
  await browser.go('/etc')
  expect(browser.state().refused).toBeNull()
  expect(seen).toEqual(['/etc'])
})

test('W-24: in, up, back and forward, with the cursor on the folder one comes from', async () => {
  const { browser, at } = setup()
  await browser.go('/')
  await browser.enter('etc')
  await browser.enter('nginx')
  await browser.up()
  expect(at()).toBe('/etc')
  expect(browser.current()?.name).toBe('nginx')
  await browser.back()
  expect(at()).toBe('/etc/nginx')
  await browser.back()
  await browser.back()
  expect(at()).toBe('/')
  expect(browser.current()?.name).toBe('etc')
  expect(browser.state().canGoBack).toBe(false)
  await browser.forward()
  expect(at()).toBe('/etc')
  await browser.go('../srv')
  expect(browser.state().canGoForward).toBe(false)
})

test('~ is asked for where nobody knows it yet', async () => {
  const { browser, asked, at } = setup()
  await browser.go('~/')
  expect(asked).toEqual(['', '/home/me'])
  expect(at()).toBe('/home/me')
  expect(browser.state().refused).toBeNull()
})

test('what fails is said and the folder stays', async () => {
  const { browser, at } = setup()
  await browser.go('/etc')
  await browser.go('/gone')
  expect(browser.state()).toMatchObject({ status: 'failed', path: '/etc' })
  expect(browser.state().error?.params.text).toBe('gone')
  await browser.refresh()
  expect(browser.state().status).toBe('ready')
  expect(at()).toBe('/etc')
})

test('an answer that comes too late is not shown', async () => {
  const { browser, at } = setup()
  const slow = browser.go('/etc')
  const fast = browser.go('/srv')
  await Promise.all([slow, fast])
  expect(at()).toBe('/srv')
})

test('filter, type-ahead and marks', async () => {
  const { browser, names } = setup()
  await browser.go('/srv')
  expect(names()).toEqual(['alpha', 'beta', 'bravo'])
  browser.setFind('br')
  expect(browser.current()?.name).toBe('bravo')
  browser.setFind('b')
  browser.findNext(1)
  expect(browser.current()?.name).toBe('beta')
  browser.findNext(-1)
  expect(browser.current()?.name).toBe('bravo')
  browser.setFind(null)
  browser.toggleMark()
  browser.moveTo(0)
  browser.markRange()
  expect(browser.chosen().map(({ name }) => name)).toEqual(['alpha', 'beta', 'bravo'])
  browser.setFilter('bet')
  expect(names()).toEqual(['beta'])
  browser.setFilter('')
  browser.markAll()
  expect(browser.state().marks.size).toBe(0)
  browser.setFilter('nothing')
  expect(browser.current()).toBeNull()
})

test('letters typed before the folder has come find their name in it, also with Enter', async () => {
  const { browser } = setup()
  const coming = browser.go('/srv')
  browser.setFind('br')
  expect(browser.state().isFound).toBe(false)
  const taken = browser.takeFind()
  await coming
  expect(browser.current()?.name).toBe('bravo')
  expect(await taken).toBe(true)
  expect(browser.state().find).toBeNull()
  const entering = browser.enter('alpha')
  browser.setFind('no')
  await entering
  expect(browser.current()?.name).toBe('notes.txt')
})

test('letters that no name has are said and open nothing; the cursor moved by hand ends them', async () => {
  const { browser } = setup()
  await browser.go('/srv')
  browser.setFind('bx')
  expect(browser.state()).toMatchObject({ isFound: false, find: 'bx' })
  expect(await browser.takeFind()).toBe(false)
  expect(browser.state().find).toBe('bx')
  browser.moveTo(2)
  expect(browser.state()).toMatchObject({ isFound: true, find: null, cursor: 2 })
  browser.setFind('')
  expect(await browser.takeFind()).toBe(true)
})

test('a path typed as a name leads there', async () => {
  const { browser, at } = setup()
  await browser.go('/')
  browser.setFind('etc/nginx')
  expect(await browser.takeFind()).toBe(false)
  expect(at()).toBe('/etc/nginx')
  expect(browser.state()).toMatchObject({ find: null, isFound: true, refused: null })
})

test('W-24: the path of a file leads to its folder, with the cursor on it', async () => {
  const { browser, at, seen } = setup()
  await browser.go('/etc/nginx/nginx.conf')
  expect(at()).toBe('/etc/nginx')
  expect(browser.current()?.name).toBe('nginx.conf')
  expect(browser.state().refused).toBeNull()
  expect(seen).toEqual(['/etc/nginx'])
  await browser.go('/etc/nginx/sites')
  expect(browser.state()).toMatchObject({ path: '/home/me', refused: '/etc/nginx/sites' })
  await browser.go('/etc/nginx/none.conf')
  expect(browser.state()).toMatchObject({ path: '/home/me', refused: '/etc/nginx/none.conf' })
})

test('what could not be read is asked for again when the connection is back, and nothing else is', async () => {
  let isAway = true
  const asked: string[] = []
  const browser = createFileBrowser({
    async list(path) {
      asked.push(path)
      if (isAway) throw new AppError('unreachable')
      return { path: path || '/home/me', entries: [] }
    },
  })
  await browser.go('')
  expect(browser.state()).toMatchObject({ status: 'failed', path: '' })
  isAway = false
  await browser.retry()
  expect(browser.state()).toMatchObject({ status: 'ready', path: '/home/me' })
  isAway = true
  await browser.refresh()
  isAway = false
  await browser.retry()
  expect(browser.state()).toMatchObject({ status: 'ready', error: null })
  await browser.retry()
  expect(asked).toEqual(['', '', '/home/me', '/home/me'])
})
