import { useValue } from '@legendapp/state/react'
import { actionState, availability, type KeyBinding, normalChord, sayText } from '@qd/core/actions'
import type { Action, AnyRow } from '@qd/core/define'
import { useSyncExternalStore } from 'react'
import { answered } from '../../../act/keys/commands.ts'
import { keyChoices } from '../../../act/keys/key-choices.ts'
import { bindings, capsOfChord, pending$ } from '../../../act/keys/keys.ts'
import { platform } from '../../../base/ports.ts'
import { page$, pageRows } from '../../../base/state/page.ts'
import { useSiteLine } from '../../../base/state/site.ts'
import { records, session, view } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import * as strip from '../../../ui/Keycap.css.ts'
import { Keycap } from '../../../ui/Keycap.tsx'
import * as css from './Frame.css.ts'

/** Commands in the hint strip, around the first actions of the list. */
const before = ['mark']
const after = ['rowActions', 'filter']
const ofPage: readonly string[] = ['next', 'mark', 'filter']
/** More are in the key sheet, whose hint is always shown. */
const maxHints = 4

/** The key hints of the page, or the continuations of a started key sequence. */
export function Hints() {
  const { t } = useTexts()
  const line = useSiteLine()
  const rows = useValue(pageRows)
  const isEmpty = useValue(hasNoRows)
  useValue(keyChoices)
  useSyncExternalStore(answered.subscribe, answered.version)
  const pending = useValue(pending$)
  const all = bindings()
  const keys = all.find(({ command }) => command === 'keys')
  const shown =
    pending === null
      ? chosen(all, rows, isEmpty)
      : all.filter(({ chord }) => normalChord(chord, platform).startsWith(`${pending} `))
  return (
    <footer
      className={pending === null ? strip.hints : `${strip.hints} ${css.hintsOpen}`}
      role="contentinfo"
      aria-label={t('ui.frame.hints')}
    >
      <span className={strip.hintList}>
        {pending !== null && (
          <span className={strip.hint}>
            <Keycap caps={capsOfChord(pending)} />
            {t('ui.keyGroups.go')}
          </span>
        )}
        {shown.map((binding) => (
          <Hint key={binding.command} binding={binding} isSecond={pending !== null} />
        ))}
      </span>
      {pending === null && keys && <Hint binding={keys} isSecond={false} />}
      <span className={strip.foot}>{line}</span>
    </footer>
  )
}

function Hint({ binding: { chord, label }, isSecond }: { binding: KeyBinding; isSecond: boolean }) {
  const { translator } = useTexts()
  return (
    <span className={strip.hint}>
      <Keycap caps={isSecond ? capsOfChord(chord).slice(1) : capsOfChord(chord)} />
      {sayText(translator, label)}
    </span>
  )
}

/** The list is loaded and empty. Tracked where observed. */
function hasNoRows(): boolean {
  const { resource, open } = page$.get()
  if (resource === null || open !== null) return false
  const list$ = records.list$(resource)
  return list$.loadedAt.get() !== null && list$.ids.get().length === 0
}

/** Only currently possible actions; none on rows if there are no rows. */
function chosen(all: readonly KeyBinding[], rows: readonly AnyRow[], isEmpty: boolean): readonly KeyBinding[] {
  const around = { viewer: session.viewer(), view, supports: session.supports }
  const works = (action: Action) => {
    const { reason } = rows.length === 0 ? availability(action, around) : actionState(action, rows, around)
    return reason === null
  }
  const first = (command: string) =>
    all
      .filter((binding) => binding.command === command && (!ofPage.includes(command) || answered.has(command)))
      .slice(0, 1)
  const actions = all.filter(({ action, chord }) => action !== null && chord !== 'Delete' && works(action))
  if (isEmpty) return actions.filter(({ action }) => action?.on === 'none').slice(0, maxHints)
  const [start, end] = [before.flatMap(first), after.flatMap(first)]
  const few = actions.slice(0, maxHints - start.length - end.length)
  const chosen = [...start, ...few, ...end]
  return chosen.length < maxHints && start.length === 0 ? [...first('next'), ...chosen] : chosen
}
