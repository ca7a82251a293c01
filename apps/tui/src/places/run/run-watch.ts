import { observe } from '@legendapp/state'
import { same } from '@qd/core/actions'
import type { Cancel } from '@qd/core/api'
import { toAppError } from '@qd/core/errors'
import type { Translator } from '@qd/core/i18n'
import type { RunCounts, RunItem } from '@qd/core/resources'
import type { Io } from '../../base/io.ts'
import { createState } from '../../screen/state/observed.ts'
import type { Ui } from '../../screen/state/ui.ts'

const reloadMs = 700
const growMs = 1000

export function createRunWatch(ui: Ui, id: number) {
  const { io } = ui
  const { records } = ui.workspace
  const countsOf = () => records.detail$('run', id).peek()?.counts as RunCounts | undefined
  let isWatched = false
  let isLoading = false
  let again = false
  const load = async () => {
    again = isLoading
    if (isLoading) return
    isLoading = true
    const answer = await records.loadOne('run', id).catch((thrown: unknown) => {
      ui.fail(toAppError(thrown))
      return null
    })
    io.setTimer(() => {
      isLoading = false
      // The feed may have newer counts.
      if (isWatched && (again || (answer && !same(countsOf(), answer.counts)))) void load()
      again = false
    }, reloadMs)
  }
  const isOver = () => {
    const counts = countsOf()
    return counts !== undefined && counts.waiting + counts.sent + counts.running === 0
  }
  return {
    load,
    enter() {
      isWatched = true
      void load()
      const stop = observe(() => {
        records.row$('run', id).get()
        if (records.detail$('run', id).get() && !isLoading) io.setTimer(load, 0)
      })
      // The feed has counts, not output.
      let cancel: Cancel = () => undefined
      const poll = () => {
        if (!isOver()) void load()
        cancel = io.setTimer(poll, growMs)
      }
      cancel = io.setTimer(poll, growMs)
      return () => {
        isWatched = false
        stop()
        cancel()
      }
    },
  }
}

const sliceMs = 10

export function createRunSearch(io: Pick<Io, 'now' | 'setTimer'>, translator: Translator) {
  const state = createState({ answer: [] as readonly RunItem[] })
  let searched: { items: readonly RunItem[]; word: string } = { items: [], word: '' }
  let found = new Set<RunItem>()
  let cancel = () => {}

  const begin = (items: readonly RunItem[], word: string) => {
    cancel()
    searched = { items, word }
    const byState = word.startsWith('state:')
    const wanted = byState ? word.slice('state:'.length) : word
    const isNamed = ({ state, server_name }: RunItem) =>
      [server_name, state.replace('_', '-'), translator.say(`ui.run.states.${state}`)].some((text) =>
        text.toLowerCase().includes(wanted),
      )
    found = new Set(items.filter(isNamed))
    state.answer = items.filter((item) => found.has(item))
    if (!byState && wanted !== '') searchOutputs(items, new RegExp(escaped(wanted), 'i'), 0)
  }
  const searchOutputs = (items: readonly RunItem[], pattern: RegExp, from: number) => {
    const endsAt = io.now() + sliceMs
    let at = from
    const before = found.size
    for (; at < items.length && (at === from || io.now() < endsAt); at += 1) {
      const item = items[at]!
      if (!found.has(item) && pattern.test(item.output)) found.add(item)
    }
    if (found.size > before) {
      state.answer = items.filter((item) => found.has(item))
    }
    if (at < items.length) cancel = io.setTimer(() => searchOutputs(items, pattern, at), 0)
  }
  return {
    matching(items: readonly RunItem[], word: string) {
      if (items !== searched.items || word !== searched.word) begin(items, word)
      return state.answer
    },
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
