import type { Translator } from '@qd/core/i18n'
import type { RunItem } from '@qd/core/resources'
import type { Io } from '../../base/io.ts'
import { createState } from '../../screen/state/observed.ts'

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
