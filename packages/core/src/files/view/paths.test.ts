import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { breadcrumb, joinPath, lastName, normalPath, parentPath, resolvePath, safeFileName } from './paths.ts'

describe('W-20: paths of POSIX and Windows', () => {
  test.each([
    ['/var//log/', '/var/log'],
    ['/var/./log/../www', '/var/www'],
    ['/../..', '/'],
    ['c:/Users\\me\\', 'C:\\Users\\me'],
    ['C:', 'C:\\'],
    ['\\\\nas\\share\\a\\..\\b', '\\\\nas\\share\\b'],
    ['/with\\backslash', '/with\\backslash'],
  ])('%s is %s', (path, normal) => {
    expect(normalPath(path)).toBe(normal)
  })

  test.each([
    ['/var/log', '/var'],
    ['/var', '/'],
    ['/', null],
    ['C:\\Users', 'C:\\'],
    ['C:\\', null],
    ['\\\\nas\\share\\a', '\\\\nas\\share\\'],
    ['\\\\nas\\share', null],
  ])('above %s lies %s', (path, parent) => {
    expect(parentPath(path)).toBe(parent)
  })

  test('a name is put behind a folder, and found again, whatever is in it', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => !/[/\\]/.test(text) && text !== '.' && text !== '..')
    const folder = fc.constantFrom('/', '/srv/a b', 'C:\\', 'D:\\x', '\\\\nas\\share')
    void fc.assert(
      fc.property(folder, name, (at, text) => {
        const path = joinPath(at, text)
        expect(lastName(path)).toBe(text)
        expect(parentPath(path)).toBe(normalPath(at))
      }),
    )
  })

  test('the breadcrumb has the root, the last three, and the earlier ones for a menu', () => {
    const { root, earlier, last } = breadcrumb('/srv/www/releases/2026-11/app')
    expect(root).toEqual({ name: '/', path: '/' })
    expect(earlier.map(({ path }) => path)).toEqual(['/srv', '/srv/www'])
    expect(last.map(({ name }) => name)).toEqual(['releases', '2026-11', 'app'])
    expect(last[0]!.path).toBe('/srv/www/releases')
    expect(breadcrumb('C:\\Users\\me').last.map(({ path }) => path)).toEqual(['C:\\Users', 'C:\\Users\\me'])
    expect(breadcrumb('/')).toEqual({ root: { name: '/', path: '/' }, earlier: [], last: [] })
  })
})

describe('W-24: a typed path', () => {
  const at = { folder: '/srv/www', home: '/home/me' }
  test.each([
    ['logs', '/srv/www/logs'],
    ['../etc/', '/srv/etc'],
    ['/etc', '/etc'],
    ['~', '/home/me'],
    ['~/x/../y', '/home/me/y'],
    ['"/a b/c"', '/a b/c'],
    ["'/it'", '/it'],
    ['', '/srv/www'],
    ['D:\\data\\', 'D:\\data'],
  ])('%s leads to %s', (typed, path) => {
    expect(resolvePath(typed, at)).toBe(path)
  })

  test('on Windows', () => {
    const windows = { folder: 'C:\\Users\\me', home: 'C:\\Users\\me' }
    expect(resolvePath('a/b', windows)).toBe('C:\\Users\\me\\a\\b')
    expect(resolvePath('/temp', windows)).toBe('C:\\temp')
    expect(resolvePath('~\\x', windows)).toBe('C:\\Users\\me\\x')
  })

  test('~ stands as it is while nobody knows the home folder', () => {
    expect(resolvePath('~/x', { folder: '/', home: null })).toBe('~/x')
  })
})

describe('W-21: a name to save a file under', () => {
  test.each([
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['a\nb\u202egpj.exe', 'a_b_gpj.exe'],
    ['..', '_'],
    ['con.txt', '_con.txt'],
    ['', '_'],
    ['what?.log', 'what_.log'],
  ])('%j is saved as %j', (name, saved) => {
    expect(safeFileName(name)).toBe(saved)
  })

  test('is never a path, empty or longer than a file system takes', () => {
    void fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (name) => {
        const saved = safeFileName(name)
        expect(saved).not.toMatch(/[\\/\u0000-\u001f]|^\.{0,2}$/)
        expect([...saved].length).toBeLessThanOrEqual(215)
      }),
    )
  })
})
