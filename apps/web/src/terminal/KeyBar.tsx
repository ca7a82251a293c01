import { useTexts } from '../base/state/texts.ts'
import type { OneShot } from './one-shot.ts'
import type { Shell } from './shell.ts'
import * as css from './TerminalPage.css.ts'

const arrows = [
  { name: 'up', sign: '↑', end: 'A' },
  { name: 'down', sign: '↓', end: 'B' },
  { name: 'left', sign: '←', end: 'D' },
  { name: 'right', sign: '→', end: 'C' },
] as const

/** Keys that a phone does not have. Ctrl and Alt hold for one key (behaviour W-17). */
export function KeyBar({ shell, held }: { shell: Shell | null; held: OneShot }) {
  const { t } = useTexts()
  const keys = [
    { id: 'esc', sign: 'Esc', press: () => shell?.type('\u001b') },
    { id: 'tab', sign: 'Tab', press: () => shell?.type('\t') },
    { id: 'ctrl', sign: 'Ctrl', isOn: held.ctrl, press: () => shell?.hold({ ...held, ctrl: !held.ctrl }) },
    { id: 'alt', sign: 'Alt', isOn: held.alt, press: () => shell?.hold({ ...held, alt: !held.alt }) },
    ...arrows.map(({ name, sign, end }) => ({
      id: name,
      sign,
      label: t(`ui.terminal.arrow.${name}`),
      press: () => shell?.type(`\u001b${shell.screen.terminal.modes.applicationCursorKeysMode ? 'O' : '['}${end}`),
    })),
  ]
  return (
    <div className={css.bar} role="toolbar" aria-label={t('ui.terminal.keyBar')}>
      {keys.map(({ id, sign, press, ...more }) => (
        <button
          key={id}
          type="button"
          className={css.key}
          aria-label={'label' in more ? more.label : sign}
          aria-pressed={'isOn' in more ? more.isOn : undefined}
          // The screen keeps the focus, so that the keyboard of the phone stays.
          onPointerDown={(event) => event.preventDefault()}
          onClick={press}
        >
          {sign}
        </button>
      ))}
    </div>
  )
}
