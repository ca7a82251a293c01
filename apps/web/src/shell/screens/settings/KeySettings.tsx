import { useValue } from '@legendapp/state/react'
import { chordOf, isPlain, normalChord, sayText } from '@qd/core/actions'
import { type KeyboardEvent, useState } from 'react'
import { keyChoices, setKeyChoices } from '../../../act/keys/key-choices.ts'
import { bindings, capsOf } from '../../../act/keys/keys.ts'
import { platform } from '../../../base/ports.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Button } from '../../../ui/Button.tsx'
import { FieldNote } from '../../../ui/inputs/Field.tsx'
import { Switch } from '../../../ui/inputs/Toggle.tsx'
import { Keycap } from '../../../ui/Keycap.tsx'
import { spoken } from '../../../ui/Page.css.ts'
import * as css from './Settings.css.ts'

/** Palette shortcut and single-key shortcuts (behaviours P-02 and P-35). */
export function KeySettings() {
  const { t } = useTexts()
  const { palette, singleKeys } = useValue(keyChoices)
  const { isRecording, problem, begin, press, end } = useRecording((chord) => setKeyChoices({ palette: chord }))
  const caps = capsOf('palette')
  return (
    <div className={css.keys}>
      <div className={css.row}>
        <fieldset data-records-keys={isRecording || undefined} onKeyDownCapture={press} onBlur={end}>
          <Button aria-describedby="palette-key" onPress={begin}>
            {t('ui.settings.paletteKey')}
            <span className={spoken}>{caps.join(' ')}</span>
            <Keycap caps={caps} />
          </Button>
        </fieldset>
        {palette !== null && (
          <Button tone="ghost" icon="undo-2" onPress={() => setKeyChoices({ palette: null })}>
            {t('ui.settings.resetKey')}
          </Button>
        )}
      </div>
      <div role="status">
        {isRecording && <FieldNote id="palette-key" help={t('ui.settings.pressKey')} error={problem} />}
      </div>
      <Switch
        label={t('ui.keySheet.single')}
        help={t('ui.keySheet.rest')}
        value={singleKeys}
        onChange={(isOn) => setKeyChoices({ singleKeys: isOn })}
      />
    </div>
  )
}

/** Records a chord with a modifier that is free. Escape and Tab cancel. */
function useRecording(take: (chord: string) => void) {
  const { t, translator } = useTexts()
  const [isRecording, setRecording] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const end = () => {
    setRecording(false)
    setProblem(null)
  }
  const press = (event: KeyboardEvent) => {
    if (!isRecording) return
    if (event.key === 'Tab') return end()
    event.preventDefault()
    event.stopPropagation()
    const chord = chordOf(event.nativeEvent)
    if (chord === null) return
    if (chord === 'Escape') return end()
    const taken = bindings().find(
      (one) => one.command !== 'palette' && normalChord(one.chord, platform).split(' ')[0] === chord,
    )
    if (isPlain(chord)) setProblem(t('ui.settings.keyNeedsModifier'))
    else if (taken) setProblem(t('ui.settings.keyTaken', { action: sayText(translator, taken.label) }))
    else {
      take(chord)
      end()
    }
  }
  return { isRecording, problem, begin: () => setRecording(true), press, end }
}
