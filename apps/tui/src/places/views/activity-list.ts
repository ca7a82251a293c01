import { sayText } from '@qd/core/actions'
import { plainText } from '@qd/core/fields'
import { errorText, firstNames } from '@qd/core/i18n'
import type { Activity } from '@qd/core/store'
import { stateSpan } from '../../screen/fields/marks.ts'
import { copy } from '../../screen/state/copy.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { type Span, span } from '../../screen/terminal/line.ts'
import { createList } from './list-overlay.tsx'

const namesShown = 3
const marks: Readonly<Record<Activity['status'], Span>> = {
  running: stateSpan('sent', 'accent'),
  ok: stateSpan('success', 'ok'),
  failed: stateSpan('failure', 'bad'),
}

/** This session's actions, newest first (behaviour P-23). Enter copies the CLI line. */
export function createActivityList(ui: Ui): Overlay {
  const { runner, translator, format, t } = ui.workspace
  const copyFocused = () => {
    const cli = list.focused()?.cli
    if (cli) copy(ui, cli)
  }
  const list = createList(ui, {
    title: () => t('ui.commands.activity'),
    items: () => runner.activity$.get(),
    show({ at, status, cli, label, names, error }) {
      return {
        marks: [marks[status], span(` ${format.clock(at)} `, 'muted')],
        label: `${sayText(translator, label)} `,
        said: status === 'ok' ? '' : t(`ui.activity.${status}`),
        detail: firstNames(names, namesShown, ui.workspace, plainText),
        below: [error ? plainText(errorText(translator, error).title) : '', plainText(cli)].filter(Boolean).join(' · '),
      }
    },
    none: () => t('ui.activity.none'),
    rowsEach: 2,
    keys: { Enter: { hint: 'copyCli', run: copyFocused }, y: copyFocused },
    overlay: { cliLine: (): string | null => list.focused()?.cli ?? null },
  })
  return list.overlay
}
