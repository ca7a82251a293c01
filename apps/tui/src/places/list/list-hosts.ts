import { when } from '@legendapp/state'
import type { Cancel } from '@qd/core/api'
import type { Resource } from '@qd/core/define'
import { type HostTarget, hostTarget, watchWithNeeds } from '@qd/core/store'
import { hostSummary } from '@qd/core/view'
import { createState } from '../../screen/state/observed.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { cutLine, type Line, line, span, wrapText } from '../../screen/terminal/line.ts'
import { instead } from './list-notes.ts'

export function createHostsOf(ui: Ui, resource: Resource) {
  const { records, remembered, translator, view } = ui.workspace
  const servers$ = records.list$('server')
  const state = createState({ target: null as HostTarget | null })
  let asked: string | null = null
  let isEntered = false
  let leave: Cancel = () => undefined

  const read = () => {
    leave()
    leave = () => undefined
    const target = hostTarget(asked, servers$.ids.peek().length, remembered)
    state.target = target
    if (target.isOpen) return
    void records.load(resource.name, { on: target.on })
    leave = watchWithNeeds(records, resource)
  }
  const summary = () => hostSummary(records.list$(resource.name).hosts.peek(), view, translator)
  const { t } = translator
  return {
    /** The query over servers; empty for all. */
    on: () => state.target?.on ?? '',
    choose(on: string) {
      asked = on
      if (isEntered) read()
    },
    enter(): Cancel {
      isEntered = true
      const unwatch = records.watch('server')
      // How many servers there are decides whether all are read.
      void when(() => servers$.loadedAt.get() !== null).then(() => isEntered && read())
      return () => {
        isEntered = false
        leave()
        leave = () => undefined
        unwatch()
      }
    },
    /** Who answered; null for records of the database. */
    line(columns: number): Line | null {
      if (!resource.host) return null
      if (state.target?.isOpen !== false) return line('', 'muted')
      const { answered, total, lines } = summary()
      if (total === 0) return line('', 'muted')
      const rest = lines.flatMap(({ text, tone }) => [span('  '), span(text, tone)])
      return cutLine([span(` ${answered}`, 'muted'), ...rest], columns)
    },
    /** What stands in the place of rows; null where the list says it itself. */
    asks(columns: number): readonly Line[] | null {
      if (!resource.host) return null
      if (state.target?.isOpen) {
        const text = t('ui.hosts.chooseText', { count: servers$.ids.peek().length })
        return [
          ...instead(t('ui.hosts.choose'), wrapText(text, columns - 8)),
          [],
          [span('    '), span(`:${resource.name} --on group:web`, 'key')],
          [span('    '), span(`:${resource.name} --on ''`, 'key'), span(`  ${t('ui.hosts.all')}`, 'muted')],
        ]
      }
      const isPending = records
        .list$(resource.name)
        .hosts.peek()
        .some(({ state }) => state === 'pending')
      const { lines, read: answered, total } = summary()
      if (isPending || answered > 0 || total === 0) return null
      return [
        ...instead(t('ui.hosts.none'), []),
        ...lines.flatMap(({ text, tone }) => wrapText(text, columns - 8).map((one) => line(`    ${one}`, tone))),
      ]
    },
  }
}
