import { describe, expect, test } from 'vitest'
import type { Action, Viewer } from '../define/index.ts'
import { cron, incident, resources, server } from '../resources/index.ts'
import {
  baseKeys,
  type Cancel,
  chordFor,
  conflicts,
  createDispatcher,
  escapeStep,
  type KeyStroke,
  keyTable,
  type Layer,
  type Platform,
  type Surface,
  sequenceMs,
} from './index.ts'

const admin: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const guest: Viewer = { id: null, username: '', role: 1, scopes: null }

describe('key table', () => {
  const surfaces: [Surface, Platform][] = [
    ['web', 'mac'],
    ['web', 'other'],
    ['tui', 'terminal'],
  ]
  const pages = [null, ...resources].flatMap((resource) =>
    surfaces.map((surface) => [resource?.name ?? 'no list', ...surface, resource] as const),
  )

  test.each(pages)('rule 7: no conflict on %s, %s, %s', (_name, surface, platform, resource) => {
    for (const files of [false, true]) {
      const found = conflicts(keyTable(resource, surface, { viewer: admin, files }), platform)
      expect(found.map(([one, other]) => `${one.chord}: ${one.command} and ${other.command}`)).toEqual([])
    }
  })

  test.each([
    ['open', 'Enter', 'Enter'],
    ['create', 'c', 'c'],
    ['edit', 'e', 'e'],
    ['duplicate', 'd', 'd'],
    ['delete', 'Delete', 'D'],
    ['run', 'r', 'r'],
  ] as const)('P-32 %s of a task: %s on the web, %s in the terminal', (action, web, tui) => {
    expect(chordFor(keyTable(cron, 'web', { viewer: admin }), `action:cron.${action}`)).toBe(web)
    expect(chordFor(keyTable(cron, 'tui', { viewer: admin }), `action:cron.${action}`)).toBe(tui)
  })

  test('P-29 sequences go to what exists and to the public page', () => {
    const goes = keyTable(null, 'web', { viewer: admin }).filter(({ chord }) => chord.startsWith('g '))
    const places = resources.flatMap(({ go, name }) => (go === null ? [] : [[go, `go:${name}`]]))
    expect(places.length).toBeGreaterThan(0)
    expect(Object.fromEntries(goes.map(({ chord, command }) => [chord, command]))).toEqual({
      ...Object.fromEntries(places),
      'g h': 'public',
      'g L': 'logs',
    })
  })

  test('T-22 both front ends have the same keys but those that only one can send', () => {
    const commandsOf = (surface: Surface) =>
      new Set(keyTable(server, surface, { viewer: admin }).map(({ command }) => command))
    const web = commandsOf('web')
    const tui = commandsOf('tui')
    expect([...web].filter((command) => !tui.has(command)).sort()).toEqual([
      'confirm',
      'copyLink',
      'copySelection',
      'larger',
      'leave',
      'normalSize',
      'openApart',
      'openLink',
      'paste',
      'search',
      'smaller',
      'terminalFiles',
      'terminalPalette',
    ])
    const sorted = [...tui].filter((command) => command.startsWith('sort:')).sort()
    expect(sorted).toContain('sort:cpu')
    expect([...tui].filter((command) => !web.has(command)).sort()).toEqual([
      'calls',
      'editor',
      'halfDown',
      'halfUp',
      'pane',
      'previousView',
      'quit',
      'raw',
      'redraw',
      ...sorted,
      'suspend',
    ])
  })

  test('a guest has no keys of actions', () => {
    expect(keyTable(server, 'web', { viewer: guest }).filter(({ action }) => action !== null)).toEqual([])
  })

  test('P-35 single keys can be switched off', () => {
    const table = keyTable(server, 'web', { viewer: admin, singleKeys: false })
    expect(table.filter(({ chord }) => chord.length === 1)).toEqual([])
    expect(table.map(({ chord }) => chord)).toEqual(
      expect.arrayContaining(['Mod+k', 'Escape', 'ArrowDown', 'Enter', 'g s']),
    )
  })

  test('P-33 Esc closes, leaves, clears, clears, and leaves a bare list as it is', () => {
    const rest = { overlay: false, field: false, filter: false, marks: false }
    expect(escapeStep(rest)).toBeNull()
    expect(escapeStep({ ...rest, marks: true })).toBe('marks')
    expect(escapeStep({ overlay: true, field: true, filter: true, marks: true })).toBe('overlay')
  })

  test('every key of the fixed table has a text and no letter of an action', () => {
    const taken = resources.flatMap((resource) =>
      Object.values(resource.actions).flatMap(({ key }) => [key.web, key.tui]),
    )
    // In a folder, in a terminal and among log lines there are no records to act on.
    const onPage = baseKeys.filter(
      // `n` gives way to an action of the list.
      ({ layers, group, command }) =>
        (layers as readonly Layer[]).includes('page') && group !== 'logs' && command !== 'findNext',
    )
    const fixed = onPage.flatMap(({ chords }) => [
      ...('web' in chords ? chords.web : []),
      ...('tui' in chords ? chords.tui : []),
    ])
    expect(fixed.filter((chord) => taken.includes(chord))).toEqual([])
  })
})

/** A clock that stands still until it is moved. */
function stillClock() {
  let now = 0
  const timers = new Map<() => void, number>()
  return {
    now: () => now,
    setTimer(run: () => void, ms: number): Cancel {
      timers.set(run, now + ms)
      return () => timers.delete(run)
    },
    move(ms: number) {
      now += ms
      for (const [run, at] of timers) {
        if (at > now) continue
        timers.delete(run)
        run()
      }
    },
  }
}

describe('dispatcher', () => {
  const set = (options: { layer?: Layer; isTyping?: boolean } = {}) => {
    const clock = stillClock()
    const done: string[] = []
    const pending: (string | null)[] = []
    const dispatcher = createDispatcher({
      bindings: () => keyTable(cron, 'web', { viewer: admin }),
      layer: () => options.layer ?? 'page',
      isTyping: () => options.isTyping ?? false,
      platform: 'other',
      clock,
      onCommand: ({ command }) => done.push(command),
      onPending: (prefix) => pending.push(prefix),
    })
    const press = (...strokes: (string | KeyStroke)[]) =>
      strokes.map((stroke) => dispatcher.handle(typeof stroke === 'string' ? { key: stroke } : stroke))
    return { clock, done, pending, press }
  }

  test('a key, a chord and a sequence', () => {
    const { done, pending, press } = set()
    expect(press('j', { key: 'k', ctrlKey: true }, 'g', 't', 'r')).toEqual([true, true, true, true, true])
    expect(done).toEqual(['next', 'palette', 'go:cron', 'action:cron.run'])
    expect(pending).toEqual(['g', null])
  })

  test('P-29 the second key is waited for one second', () => {
    const { clock, done, pending, press } = set()
    press('g')
    clock.move(sequenceMs)
    expect(pending).toEqual(['g', null])
    press('s')
    expect(done).toEqual(['sort'])
  })

  test('a sequence that leads nowhere does nothing', () => {
    const { done, press } = set()
    expect(press('g', '.', 'z')).toEqual([true, true, true])
    expect(done).toEqual(['undo'])
  })

  test('P-35 single keys rest while typing, chords and Escape work', () => {
    const { done, press } = set({ isTyping: true })
    expect(press('j', 'g', '/', { key: 'k', ctrlKey: true }, 'Escape')).toEqual([false, false, false, true, true])
    expect(done).toEqual(['palette', 'escape'])
  })

  test('P-01 the palette opens from a form but not from a confirm', () => {
    const form = set({ layer: 'form', isTyping: true })
    form.press({ key: 'k', ctrlKey: true }, { key: 'Enter', ctrlKey: true })
    expect(form.done).toEqual(['palette', 'save'])
    const confirm = set({ layer: 'confirm' })
    expect(confirm.press({ key: 'k', ctrlKey: true }, { key: 'Enter', ctrlKey: true }, 'Escape', 'j')).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(confirm.done).toEqual(['confirm', 'escape'])
  })

  test('issue 18: n and N look for what was filtered by; an action keeps its letter, an order gives way', () => {
    const of = (resource: typeof server | typeof incident, search: boolean) =>
      Object.fromEntries(
        keyTable(resource, 'tui', { viewer: admin, search })
          .filter(({ chord, layers }) => ['n', 'N'].includes(chord) && layers.includes('page'))
          .map(({ chord, command }) => [chord, command]),
      )
    expect(of(server, false)).toEqual({ N: 'sort:name' })
    expect(of(server, true)).toEqual({ n: 'findNext', N: 'findPrevious' })
    expect(of(incident, true)).toEqual({ n: 'action:incident.note', N: 'findPrevious' })
  })

  test('issue 18: what is no list obeys only the commands that it names, a text no action and no order', () => {
    const listed = (obeys: readonly string[] | null, acts: boolean) =>
      keyTable(server, 'tui', { viewer: admin, obeys, acts, search: true }).filter(
        ({ group, layers }) => ['list', 'rows', 'charts', 'files'].includes(group) && layers.includes('page'),
      )
    const chordsOf = (obeys: readonly string[] | null, acts: boolean) =>
      listed(obeys, acts).map(({ chord, command, group }) => `${group} ${chord} ${command}`)
    expect(chordsOf(null, true)).toContain('list F savedFilters')
    expect(chordsOf(null, true)).not.toContain('list F follow')
    expect(chordsOf(['next', 'follow', 'findNext'], false)).toEqual([
      'list j next',
      'list ArrowDown next',
      'list F follow',
      'list n findNext',
    ])
    expect(chordsOf(['nextMetric'], false)).toEqual(['charts v nextMetric', 'charts ArrowRight nextMetric'])
    expect(new Set(listed([], true).map(({ group }) => group))).toEqual(new Set(['rows']))
  })

  test('issue 18: in a text one searches and goes to matches, not to rows, by a chart to another range; an action that led here is not offered', () => {
    const here = (obeys: readonly string[] | null, ledHere: Action | null = null) =>
      keyTable(server, 'tui', { viewer: admin, obeys, search: true, ledHere })
    const labels = (obeys: readonly string[] | null) =>
      Object.fromEntries(
        here(obeys)
          .filter(
            ({ command, layers }) =>
              ['filter', 'findNext', 'findPrevious'].includes(command) && layers.includes('page'),
          )
          .map(({ chord, label }) => [chord, label.key]),
      )
    expect(labels(null)).toEqual({ '/': 'ui.keys.filter', n: 'ui.keys.findNext', N: 'ui.keys.findPrevious' })
    expect(labels(['filter', 'findNext', 'findPrevious'])).toEqual({
      '/': 'ui.keys.search',
      n: 'ui.keys.nextMatch',
      N: 'ui.keys.previousMatch',
    })
    const tabs = (obeys: readonly string[]) =>
      here(obeys).flatMap(({ chord, label }) => (['[', ']'].includes(chord) ? [label.key] : []))
    expect(tabs([])).toEqual(['ui.keys.previousTab', 'ui.keys.nextTab'])
    expect(tabs(['previousTab', 'nextTab'])).toEqual(['ui.keys.previousRange', 'ui.keys.nextRange'])
    const compare = server.actions.compare
    const offered = (ledHere: Action | null) => here([], ledHere).some(({ action }) => action === compare)
    expect([offered(null), offered(compare)]).toEqual([true, false])
  })
})
