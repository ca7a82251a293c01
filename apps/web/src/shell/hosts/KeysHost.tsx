import { useValue } from '@legendapp/state/react'
import { escapeSteps, keyGroups, keyLines, sayText } from '@qd/core/actions'
import { textKey } from '@qd/core/define'
import { useMemo, useState } from 'react'
import { keyChoices, setKeyChoices } from '../../act/keys/key-choices.ts'
import { bindings, capsOf, capsOfChord } from '../../act/keys/keys.ts'
import { overlays$ } from '../../base/state/overlays.ts'
import { pageResource } from '../../base/state/page.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { SearchInput } from '../../ui/inputs/SearchInput.tsx'
import { Switch } from '../../ui/inputs/Toggle.tsx'
import { Keycap } from '../../ui/Keycap.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import * as css from './KeysHost.css.ts'

export function KeysHost() {
  const isOpen = useValue(overlays$.keys)
  return isOpen ? <Keys /> : null
}

const close = () => overlays$.keys.set(false)

/** Every key of the current page, from the dispatcher’s key table (behaviour P-34). */
function Keys() {
  const { t, say, translator } = useTexts()
  const [filter, setFilter] = useState('')
  const { singleKeys } = useValue(keyChoices)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the table follows the switch and the language
  const lines = useMemo(
    () =>
      keyLines(bindings().filter(({ command }) => command !== 'escape')).map((line) => ({
        ...line,
        label: sayText(translator, line.label),
      })),
    [singleKeys, translator],
  )
  const needle = filter.trim().toLocaleLowerCase()
  const isWanted = ({ label, chords }: (typeof lines)[number]) =>
    needle === '' ||
    label.toLocaleLowerCase().includes(needle) ||
    chords.some((chord) => chord === filter.trim() || capsOfChord(chord).join(' ').toLocaleLowerCase() === needle)
  const found = lines.filter(isWanted)
  const resource = pageResource()
  const groups = keyGroups
    .map((group) => ({ group, lines: found.filter((line) => line.group === group) }))
    .filter((group) => group.lines.length > 0)
  return (
    <Dialog
      title={
        <>
          {t('ui.commands.keys')}
          {resource && <span className={css.where}>{say(textKey.many(resource.name))}</span>}
        </>
      }
      aside={
        <div className={css.tools}>
          <div className={css.find}>
            <SearchInput label={t('ui.keySheet.find')} value={filter} onChange={setFilter} isFirst />
          </div>
          <Button tone="ghost" onPress={() => print()}>
            {t('ui.keySheet.print')}
          </Button>
        </div>
      }
      width={960}
      phone="fill"
      closeLabel={t('ui.frame.close')}
      onClose={close}
      bare
      footer={
        <>
          <Switch
            label={t('ui.keySheet.single')}
            value={singleKeys}
            onChange={(isOn) => setKeyChoices({ singleKeys: isOn })}
          />
          <span className={css.grow} />
          <span className={css.note}>{t('ui.keySheet.rest')}</span>
        </>
      }
    >
      {groups.length === 0 ? (
        <p className={css.none}>{t('ui.picker.none', { text: filter.trim() })}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        <section className={css.scroller} data-sheet aria-label={t('ui.commands.keys')} tabIndex={0}>
          <div className={css.columns}>
            {groups.map(({ group, lines: shown }) => (
              <section key={group} className={css.group}>
                <h2 className={css.head}>{t(`ui.keyGroups.${group}`)}</h2>
                <dl>
                  {shown.map(({ label, chords }) => (
                    <div key={label} className={css.row}>
                      <dt>{label}</dt>
                      <dd className={css.caps}>
                        {chords.map((chord) => (
                          <Keycap key={chord} caps={capsOfChord(chord)} />
                        ))}
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
            {needle === '' && <EscapeOrder />}
          </div>
        </section>
      )}
    </Dialog>
  )
}

function EscapeOrder() {
  const { t } = useTexts()
  return (
    <section className={css.group}>
      <h2 className={css.head}>
        {t('ui.keySheet.escape')}
        <Keycap caps={capsOf('escape')} />
      </h2>
      <ol className={css.steps}>
        {escapeSteps.map((step, index) => (
          <li key={step} className={css.step}>
            <span className={css.number}>{index + 1}</span>
            <span>{t(`ui.escape.${step}`)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
