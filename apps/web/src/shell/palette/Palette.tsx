import { useValue } from '@legendapp/state/react'
import { actionLine, type SearchEntry, sayText, searchPrefixes } from '@qd/core/actions'
import { actionKey, textKey, titleOf } from '@qd/core/define'
import { firstItem } from '@qd/core/errors'
import { errorText, firstNames, nounOf } from '@qd/core/i18n'
import { resourceByName } from '@qd/core/resources'
import { Command } from 'cmdk'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { onCommands } from '../../act/keys/commands.ts'
import { capsOf, capsOfChord } from '../../act/keys/keys.ts'
import { copy } from '../../act/perform/perform.ts'
import { copyText } from '../../base/ports.ts'
import { openFiles } from '../../base/state/open-files.ts'
import { type Overlays, overlays$ } from '../../base/state/overlays.ts'
import { records, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { Keycap } from '../../ui/Keycap.tsx'
import { Note } from '../../ui/Note.tsx'
import { linkOf } from './choose.ts'
import * as css from './Palette.css.ts'
import { PaletteArguments } from './PaletteArguments.tsx'
import { PaletteRow } from './PaletteRow.tsx'
import { frecency } from './search.ts'
import { lineValue, type PaletteState, type Scope, usePalette } from './use-palette.ts'

type Mode = NonNullable<Overlays['palette']>['mode']

export function Palette() {
  const mode = useValue(() => overlays$.palette.get()?.mode)
  return mode ? <OpenPalette key={mode} mode={mode} /> : null
}

function OpenPalette({ mode }: { mode: Mode }) {
  const { t } = useTexts()
  const state = usePalette(mode)
  const { asking } = state
  const onEscape = () => {
    if (!state.back()) overlays$.palette.set(null)
  }
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => open || onEscape()}
      shouldCloseOnInteractOutside={() => {
        overlays$.palette.set(null)
        return false
      }}
      className={css.over}
    >
      <Modal className={css.frame} {...(asking ? { style: { width: 760 } } : {})}>
        <Dialog aria-label={t('ui.frame.palette')} className={css.box}>
          {asking ? (
            <PaletteArguments {...asking} onBack={() => state.back()} onRun={state.answer} />
          ) : (
            <Body state={state} />
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Body({ state }: { state: PaletteState }) {
  const { t, say, translator } = useTexts()
  const { query, result, entry, pick, scope, error } = state
  const input = useRef<HTMLInputElement>(null)
  const pointer = usePointer()
  useEffect(() => onPaletteCommands(state, input.current))
  // Not `autoFocus`, which runs before this dialog is registered as a focus trap, so a form below would take the focus back.
  useEffect(() => input.current?.focus(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    pointer.rest()
    // 229: the key that ends a composition, in Safari.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Backspace' && query === '') {
      event.preventDefault()
      if (pick) state.back()
      else state.dropScope()
    }
    // Handled here, because Enter after fast typing comes before the list renders its entry.
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
    if (event.key === 'Enter' && isPlain && entry && event.target === input.current) {
      event.preventDefault()
      state.take(entry)
    }
    if (event.key === 'Tab' && !event.shiftKey && entry && event.target === input.current && state.enter(entry))
      event.preventDefault()
  }
  const said = error && errorText(translator, error)
  return (
    <Command
      label={t('ui.frame.palette')}
      shouldFilter={false}
      vimBindings={false}
      loop
      value={state.selected}
      onValueChange={state.select}
      onKeyDown={onKeyDown}
      onPointerMoveCapture={pointer.move}
      className={css.root}
    >
      <div className={css.head}>
        <span className={css.faint}>
          <Icon name="search" />
        </span>
        {pick ? (
          <Chip
            text={say(actionKey(pick))}
            icon={pick.icon}
            label={t('ui.palette.back')}
            onRemove={() => state.back()}
          />
        ) : (
          scope && <ScopeChip scope={scope} onRemove={state.dropScope} />
        )}
        <Command.Input
          ref={input}
          className={css.input}
          value={query}
          onValueChange={state.type}
          placeholder={
            pick
              ? t('ui.palette.which', { noun: nounOf(say(textKey.one(pick.resource)), translator.language) })
              : t('ui.palette.ask')
          }
        />
        <span className={css.total} role="status">
          {query !== '' && t('ui.palette.results', { count: result.total })}
        </span>
      </div>
      {said && (
        <div className={css.failed}>
          <Note tone="bad" title={said.title}>
            {[...said.details, t('ui.palette.retry')].join(' ')}
          </Note>
        </div>
      )}
      <Command.List className={css.list} label={t('ui.palette.found')}>
        {result.total === 0 && query !== '' && (
          <p className={css.note}>{t('ui.palette.nothing', { query: query.trim() })}</p>
        )}
        {state.groups.map(({ key, label, hits }) => (
          <Command.Group
            key={key}
            heading={
              <span className={css.heading}>
                {sayText(translator, label)}
                {key === 'scope' && scope && <ScopeNames scope={scope} />}
                {key === 'recent' && <ClearRecent />}
              </span>
            }
          >
            {hits.map((hit) => (
              <PaletteRow
                key={lineValue(key, hit.entry)}
                {...hit}
                value={lineValue(key, hit.entry)}
                isBusy={state.busy === hit.entry.key}
                onChoose={() => state.take(hit.entry)}
              />
            ))}
          </Command.Group>
        ))}
        {result.canWiden && (
          <Command.Item value="widen" className={css.item} onSelect={() => state.type(query.slice(1).trim())}>
            <span className={css.icon}>
              <Icon name="search" />
            </span>
            <span className={css.label}>{t('ui.palette.searchAll')}</span>
          </Command.Item>
        )}
        {state.isLoading && <p className={css.note}>{t('ui.list.loading')}</p>}
        {query === '' && !pick && <Prefixes />}
      </Command.List>
      <PaletteFoot entry={entry} isNested={pick !== null || query !== ''} />
    </Command>
  )
}

/** Only a moving pointer selects a line, not one that slides under a resting pointer (behaviour P-26). */
function usePointer() {
  const from = useRef<{ x: number; y: number } | null>(null)
  const isMoving = useRef(false)
  return {
    rest() {
      from.current = null
      isMoving.current = false
    },
    move(event: PointerEvent) {
      const { clientX: x, clientY: y } = event
      from.current ??= { x, y }
      isMoving.current ||= Math.abs(from.current.x - x) + Math.abs(from.current.y - y) > 3
      if (!isMoving.current) event.stopPropagation()
    },
  }
}

function onPaletteCommands({ entry }: PaletteState, input: HTMLInputElement | null) {
  return onCommands({
    copyCli: () => void copy((entry && cliOf(entry)) ?? ''),
    openApart() {
      const link = entry ? linkOf(entry) : null
      if (link !== null) window.open(link, '_blank', 'noopener')
    },
    copyLink() {
      const marked = input?.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0)
      if (marked) void copyText(marked)
      else if (entry) {
        const link = linkOf(entry)
        void copy(link === null ? '' : new URL(link, location.href).href)
      }
    },
  })
}

function Chip({
  text,
  icon,
  label,
  onRemove,
}: {
  text: string
  icon: Parameters<typeof Icon>[0]['name']
  label: string
  onRemove: () => void
}) {
  return (
    <span className={css.chip}>
      <Icon name={icon} size={14} />
      <span className={css.chipText}>{text}</span>
      <button type="button" className={css.chipRemove} aria-label={label} title={label} onClick={onRemove}>
        <Icon name="x" size={12} />
      </button>
    </span>
  )
}

function ScopeChip({ scope: { resource, rows }, onRemove }: { scope: Scope; onRemove: () => void }) {
  const { t, say, translator } = useTexts()
  const text =
    rows.length === 1
      ? titleOf(resource, firstItem(rows))
      : t('ui.confirm.objects', {
          number: rows.length,
          noun: nounOf(say(textKey.many(resource.name)), translator.language),
        })
  return <Chip text={text} icon={resource.icon} label={t('ui.palette.dropScope')} onRemove={onRemove} />
}

function ScopeNames({ scope: { resource, rows } }: { scope: Scope }) {
  const texts = useTexts()
  return <span className={css.names}>{firstNames(rows, 3, texts, (row) => titleOf(resource, row))}</span>
}

function ClearRecent() {
  const { t } = useTexts()
  const [isCleared, setCleared] = useState(false)
  if (isCleared) return null
  const clear = () => {
    frecency.clear()
    setCleared(true)
  }
  return (
    <button type="button" className={css.clear} onClick={clear}>
      {t('ui.palette.clearRecent')}
    </button>
  )
}

function Prefixes() {
  const { translator } = useTexts()
  const known = searchPrefixes.filter(({ only }) =>
    only === 'files' ? openFiles() !== null : only === 'actions' || only === 'keys' || resourceByName(only),
  )
  return (
    <p className={css.prefixes}>
      {known.map(({ prefix, label }) => (
        <span key={prefix} className={css.hint}>
          <Keycap caps={capsOfChord(prefix)} />
          {sayText(translator, label)}
        </span>
      ))}
      <span className={css.hint}>
        <Keycap caps={capsOf('command')} />
        {sayText(translator, { key: 'ui.keys.command' })}
      </span>
    </p>
  )
}

export function cliOf(entry: SearchEntry): string | null {
  const { goal, cli, reason } = entry
  if (goal.kind !== 'record') return reason ? null : cli
  const open = resourceByName(goal.resource)?.actions.open
  const row = records.peek(goal.resource, goal.id)
  return open && row ? actionLine(open, [row], view) : null
}

export function PaletteFoot({ entry, isNested }: { entry: SearchEntry | null; isNested: boolean }) {
  const { t } = useTexts()
  const cli = entry && cliOf(entry)
  const isRecord = entry?.goal.kind === 'record'
  const enter = isRecord || entry?.goal.kind === 'command' ? t('ui.palette.open') : t('ui.palette.run')
  const hints = [
    ...(entry && !entry.reason ? [{ caps: capsOfChord('Enter'), text: enter }] : []),
    ...(isRecord ? [{ caps: capsOfChord('Tab'), text: t('ui.palette.actions') }] : []),
    ...(cli ? [{ caps: capsOf('copyCli'), text: t('ui.palette.copyCli') }] : []),
    { caps: capsOf('escape'), text: isNested ? t('ui.palette.back') : t('ui.palette.close') },
  ]
  return (
    <div className={css.foot}>
      {cli ? (
        <code className={css.cli} title={cli}>
          {cli}
        </code>
      ) : (
        <span className={css.grow} />
      )}
      {hints.map(({ caps, text }) => (
        <span key={text} className={css.footHint}>
          <Keycap caps={caps} />
          {text}
        </span>
      ))}
    </div>
  )
}
