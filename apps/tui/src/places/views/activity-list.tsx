import { sayText } from '@qd/core/actions'
import { plainText } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import type { Activity } from '@qd/core/store'
import { Box } from 'ink'
import { stateSpan } from '../../screen/fields/marks.ts'
import { useArea, useLive } from '../../screen/hooks.ts'
import { copy } from '../../screen/state/copy.ts'
import { createState } from '../../screen/state/observed.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { type Line, type Span, span, withRoles } from '../../screen/terminal/line.ts'
import { Rows, Rule, Words } from '../../screen/ui/rows.tsx'

const namesShown = 3
const marks: Readonly<Record<Activity['status'], Span>> = {
  running: stateSpan('sent', 'accent'),
  ok: stateSpan('success', 'ok'),
  failed: stateSpan('failure', 'bad'),
}

/** This session's actions, newest first (behaviour P-23). Enter copies the CLI line. */
export function createActivityList(ui: Ui): Overlay {
  const { activities, translator, format } = ui.workspace
  const { t } = translator
  const state = createState({ chosen: null as number | null })
  let top = 0

  const all = () => activities.list$.get()
  const at = () => {
    const found = all().findIndex(({ id }) => id === state.chosen)
    return found < 0 ? 0 : found
  }
  const move = (by: number) => {
    const list = all()
    state.chosen = list[Math.max(0, Math.min(list.length - 1, at() + by))]?.id ?? null
  }
  const copyFocused = () => {
    const cli = all()[at()]?.cli
    if (cli) copy(ui, cli)
  }
  const keys = {
    ArrowDown: () => move(1),
    j: () => move(1),
    ArrowUp: () => move(-1),
    k: () => move(-1),
    PageDown: () => move(8),
    PageUp: () => move(-8),
    Home: () => move(-all().length),
    End: () => move(all().length),
    Enter: copyFocused,
    y: copyFocused,
  }
  const what = ({ label, names }: Activity) => {
    const listed = format.list(names.slice(0, namesShown).map(plainText))
    const more = names.length - namesShown
    return [sayText(translator, label), more > 0 ? t('ui.value.namesAndMore', { names: listed, count: more }) : listed]
  }
  const why = ({ error }: Activity) => (error ? plainText(errorText(translator, error).title) : '')
  const lines = (activity: Activity, isFocused: boolean): Line[] => {
    const { at: when, status, cli } = activity
    const [label = '', names = ''] = what(activity)
    const drawn: Line = [
      span(isFocused ? ' ▌ ' : '   ', 'accent'),
      marks[status],
      span(` ${format.clock(when)} `, 'muted'),
      span(`${label} `, ...(isFocused ? (['bold'] as const) : [])),
      span(names),
    ]
    const below = [why(activity), plainText(cli)].filter(Boolean).join(' · ')
    return [isFocused ? withRoles(drawn, 'focus') : drawn, [span(`     ${below}`, 'muted')]]
  }
  function Shown() {
    const { columns, rows } = useArea()
    const shown = useLive(() => {
      const list = all()
      const room = Math.max(1, Math.floor((rows - 1) / 2))
      top = Math.max(0, Math.min(top, list.length - room))
      if (at() < top) top = at()
      if (at() >= top + room) top = at() - room + 1
      return list.slice(top, top + room).flatMap((activity, index) => lines(activity, top + index === at()))
    })
    return (
      <Box flexDirection="column" flexShrink={0}>
        <Rule title={t('ui.commands.activity')} cells={columns} />
        {shown.length === 0 && <Words styleRole="muted">{`   ${t('ui.activity.none')}`}</Words>}
        <Rows lines={shown} />
      </Box>
    )
  }
  return {
    layer: 'menu',
    hints: () => [
      { chord: 'Enter', label: t('ui.tui.hints.copyCli') },
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    cliLine: () => all()[at()]?.cli ?? null,
    keys,
    spoken() {
      const list = all()
      const activity = list[at()]
      const title = t('ui.tui.spoken.menu', { text: t('ui.commands.activity') })
      if (!activity) return [title, t('ui.activity.none')]
      const state = activity.status === 'ok' ? '' : t(`ui.activity.${activity.status}`)
      const text = [...what(activity), state, why(activity)].filter(Boolean).join(', ')
      return [title, t('ui.tui.spoken.choice', { index: at() + 1, count: list.length, text })]
    },
    click(row) {
      const activity = all()[top + Math.floor((row - 1) / 2)]
      if (row < 1 || !activity) return false
      state.chosen = activity.id
      return true
    },
    View: Shown,
  }
}
