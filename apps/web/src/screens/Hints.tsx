import { useValue } from '@legendapp/state/react'
import { chordText, type KeyBinding, normalChord } from '@qd/core/actions'
import { keyChoices } from '../key-choices.ts'
import { bindings, pending$ } from '../keys.ts'
import { page$ } from '../page.ts'
import { platform } from '../ports.ts'
import { useSite } from '../site.ts'
import { useTexts } from '../texts.ts'
import { Keycap } from '../ui/Keycap.tsx'
import * as css from './Frame.css.ts'

/** Commands worth a hint, in the order of the strip; actions of the list stand between moving and the rest. */
const before = ['next', 'previous', 'mark']
const after = ['rowActions', 'filter', 'keys']

/** The strip at the foot: keys of this page from the key table; after the first key of a sequence, where the second leads. */
export function Hints() {
  const { t, say } = useTexts()
  const { name, version, years } = useSite()
  useValue(page$)
  useValue(keyChoices)
  const pending = useValue(pending$)
  const shown =
    pending === null
      ? chosen(bindings())
      : bindings().filter(({ chord }) => normalChord(chord, platform).startsWith(`${pending} `))
  return (
    <footer className={css.hints} role="contentinfo" aria-label={t('ui.frame.hints')}>
      <span className={css.hintList}>
        {shown.map(({ chord, command, label }) => (
          <span key={command} className={css.hint}>
            <Keycap caps={pending === null ? chordText(chord, platform) : chordText(chord, platform).slice(1)} />
            {say(label.key, label.params)}
          </span>
        ))}
      </span>
      <span className={css.foot}>
        {`${version === '' ? name : t('ui.frame.version', { name, version })} · ${years}`}
      </span>
    </footer>
  )
}

function chosen(all: readonly KeyBinding[]): readonly KeyBinding[] {
  const first = (command: string) => all.filter((binding) => binding.command === command).slice(0, 1)
  const actions = all.filter(({ action, chord }) => action !== null && chord !== 'Delete')
  return [...before.flatMap(first), ...actions, ...after.flatMap(first)]
}
