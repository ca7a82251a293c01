import { describe, expect, test } from 'vitest'
import { createTranslator, languages, loadLanguage } from '../i18n/index.ts'
import { cron, resourceByName, server, serverGroup } from '../resources/index.ts'
import { createListModel } from './index.ts'
import { emptyTitle, pagesShown } from './list-model.ts'

const live = server.columns.find((column) => column.live)!.field

function open(ids: readonly number[] = [1, 2, 3, 4, 5]) {
  const list = createListModel(cron)
  list.settle(ids)
  return list
}
const marksOf = ({ marks }: { marks: ReadonlySet<number> }) => [...marks].sort()

describe('cursor', () => {
  test('is nowhere at first; the first step leads to the first row, and no step past an end', () => {
    const list = open()
    expect([list.cursor, list.nearest]).toEqual([null, 1])
    list.move(1)
    expect(list.cursor).toBe(1)
    list.move(-1)
    expect(list.cursor).toBe(1)
    list.moveTo('last')
    list.move(1)
    expect([list.cursor, list.index]).toEqual([5, 4])
    list.moveTo(2)
    expect(list.cursor).toBe(3)
  })
  test('stays with its record in another order; if that goes, its neighbor is nearest', () => {
    const list = open()
    list.focusOn(3)
    list.settle([5, 4, 3, 2, 1])
    expect([list.cursor, list.index]).toEqual([3, 2])
    list.settle([5, 4, 2, 1])
    expect([list.cursor, list.nearest]).toEqual([3, 2])
    list.settle([5, 4])
    expect(list.nearest).toBe(4)
    list.land()
    expect([list.cursor, list.index]).toEqual([4, 1])
  })
  test('keeps its place through an empty list', () => {
    const list = open()
    list.focusOn(3)
    list.settle([])
    list.move(1)
    expect([list.cursor, list.nearest]).toEqual([3, null])
    list.land()
    expect(list.cursor).toBeNull()
    list.settle([7, 8, 9])
    list.land()
    expect(list.cursor).toBe(9)
  })
  test('finds the next match around the ends', () => {
    const list = open()
    list.focusOn(4)
    list.find(new Set([2, 4]), 1)
    expect(list.cursor).toBe(2)
    list.find(new Set([2, 4]), -1)
    expect(list.cursor).toBe(4)
    list.find(new Set([9]), 1)
    expect(list.cursor).toBe(4)
  })
})

describe('marks', () => {
  test('a range goes from the last mark to the cursor, whatever was marked before', () => {
    const list = open()
    list.focusOn(5)
    list.mark()
    list.focusOn(2)
    list.mark()
    list.moveTo('last')
    list.move(-1)
    list.markRange()
    expect(marksOf(list)).toEqual([2, 3, 4, 5])
  })
  test('a range without a mark begins at the cursor', () => {
    const list = open()
    list.markRange()
    expect(marksOf(list)).toEqual([])
    list.focusOn(2)
    list.markRange()
    list.focusOn(4)
    list.markRange()
    expect(marksOf(list)).toEqual([2, 3, 4])
  })
  test('extending marks both rows', () => {
    const list = open()
    list.focusOn(2)
    list.extend(1)
    list.extend(1)
    expect([marksOf(list), list.cursor]).toEqual([[2, 3, 4], 4])
  })
  test('all rows, and once more none; those that are not listed stay until their records go', () => {
    const list = open([1, 2])
    list.setMarks([9])
    list.markAll()
    expect(marksOf(list)).toEqual([1, 2, 9])
    list.markAll()
    expect(marksOf(list)).toEqual([9])
    list.markAll([3, 4])
    list.keepMarks((id) => id < 9)
    expect(marksOf(list)).toEqual([3, 4])
    list.clearMarks()
    expect(marksOf(list)).toEqual([])
  })
})

describe('filter and order', () => {
  test('the filter that is looked for is the last one that was kept', () => {
    const list = open()
    list.setFilter('web')
    list.setTyping(true)
    list.setFilter('we')
    list.setFilter('')
    list.setTyping(false)
    expect([list.filter, list.sought]).toEqual(['', 'web'])
    list.setTyping(true)
    list.setFilter('db')
    list.setTyping(false)
    list.setFilter('')
    expect(list.sought).toBe('db')
  })
  test('an order by an unknown field is the resource’s own', () => {
    expect(createListModel(cron, { field: 'nope', order: 'desc' }).sort).toEqual(cron.sort)
    const list = createListModel(server, { field: 'cpu', order: 'desc' })
    expect(list.sort).toEqual({ field: 'cpu', order: 'desc' })
    list.take({ filter: 'web', sort: { field: '__proto__', order: 'asc' } })
    expect([list.filter, list.sort]).toEqual(['web', server.sort])
    list.sortBy('cpu')
    expect(list.sort).toEqual({ field: 'cpu', order: 'desc' })
  })
  test('every change is told until nobody wants to hear of it', () => {
    const list = open()
    let told = 0
    const stop = list.onChange(() => told++)
    list.mark()
    list.setFilter('web')
    stop()
    list.move(1)
    expect(told).toBe(2)
  })
})

describe('held order', () => {
  const openLive = (field = live, resource: typeof server | typeof serverGroup = server) => {
    const list = createListModel(resource, { field, order: 'desc' })
    list.settle([1, 2, 3])
    return list
  }
  test('rows that live metrics order keep their places while the pointer is on them; another filter and letting go show the new order', () => {
    const list = openLive()
    list.hold('pointer', true)
    list.settle([3, 2, 1])
    expect([list.ids, list.isReordered]).toEqual([[1, 2, 3], true])
    list.settle([4, 3, 1])
    expect(list.ids).toEqual([1, 3, 4])
    list.release()
    expect([list.ids, list.isReordered]).toEqual([[4, 3, 1], false])
    list.settle([1, 3, 4])
    expect(list.ids).toEqual([4, 3, 1])
    list.setFilter('web')
    list.settle([3, 1, 4])
    expect(list.ids).toEqual([3, 1, 4])
    list.settle([1, 4, 3])
    list.hold('focus', true)
    list.hold('pointer', false)
    expect(list.ids).toEqual([3, 1, 4])
    list.hold('focus', false)
    expect(list.ids).toEqual([1, 4, 3])
  })
  test('an order by something that stays moves at once', () => {
    const list = openLive('name', serverGroup)
    list.hold('focus', true)
    list.settle([2, 1, 3])
    expect([list.ids, list.isReordered]).toEqual([[2, 1, 3], false])
  })
  test('equal rows are the same list, so that nothing is drawn again', () => {
    const list = openLive()
    const before = list.ids
    list.settle([1, 2, 3])
    expect(list.ids).toBe(before)
    list.hold('pointer', true)
    list.settle([3, 1, 2])
    expect(list.ids).toBe(before)
  })
})

test.each([
  [1, 1, '1'],
  [3, 5, '1 2 3 4 5'],
  [1, 6, '1 2 … 6'],
  [3, 6, '1 2 3 4 … 6'],
  [4, 6, '1 … 3 4 5 6'],
  [6, 6, '1 … 5 6'],
  [50, 100, '1 … 49 50 51 … 100'],
])('product spec 2: of page %s of %s: %s', (page, count, shown) => {
  expect(
    pagesShown(page, count)
      .map((one) => one ?? '…')
      .join(' '),
  ).toBe(shown)
})

test('issue 14: the heading of an empty list has its noun as inside a sentence, in every language', async () => {
  const titles = await Promise.all(
    languages.map(async (language) => {
      const translator = createTranslator({ language, bundles: { [language]: await loadLanguage(language) } })
      return [
        language,
        ...(['sign-in-provider', 'api-token'] as const).map((name) => emptyTitle(translator, resourceByName(name))),
      ]
    }),
  )
  expect(titles).toMatchInlineSnapshot(`
    [
      [
        "zh-CN",
        "还没有登录方式",
        "还没有API 令牌",
      ],
      [
        "zh-TW",
        "還沒有登入方式",
        "還沒有API 權杖",
      ],
      [
        "en-US",
        "No sign-in providers yet",
        "No API tokens yet",
      ],
      [
        "ru-RU",
        "Провайдеры аутентификации: пока пусто",
        "API-токены: пока пусто",
      ],
      [
        "es-ES",
        "Proveedores de autenticación: aún no hay nada",
        "Tokens de API: aún no hay nada",
      ],
      [
        "de-DE",
        "Noch keine Anmeldedienste",
        "Noch keine API-Tokens",
      ],
      [
        "ta-IN",
        "இன்னும் உள்நுழைவு வழங்குநர்கள் இல்லை",
        "இன்னும் API டோக்கன்கள் இல்லை",
      ],
      [
        "it-IT",
        "Provider di autenticazione: ancora nulla",
        "Token API: ancora nulla",
      ],
    ]
  `)
})
