import { useValue } from '@legendapp/state/react'
import { createActionFor } from '@qd/core/actions'
import { actionKey, textKey } from '@qd/core/define'
import { problemSentence } from '@qd/core/i18n'
import { resourceByName } from '@qd/core/resources'
import { type ClipboardEvent, type KeyboardEvent, useContext, useId, useMemo, useRef, useState } from 'react'
import { Button, ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { afterPress } from '../../../base/hooks/after-press.ts'
import { records, session, view } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Icon } from '../../../ui/drawings/Icon.tsx'
import * as box from '../../../ui/inputs/Field.css.ts'
import { described, FieldNote } from '../../../ui/inputs/Field.tsx'
import { useRoom } from '../../../ui/inputs/use-room.ts'
import { RemovableTag } from '../../../ui/Tags.tsx'
import { type InputProps, MakeInPlace, useWords, type Words } from './input.ts'
import * as css from './RefsInput.css.ts'
import { isQuery, optionsFor, type PickerOption, type RefField, readPasted, takenByEnter } from './refs-search.ts'

/** Maximum number of chips in the box. Further ones are counted (product spec, section 9). */
const chipsShown = 3

export interface RefsPickerProps extends Words {
  definition: RefField
  fieldName: string
  value: readonly number[]
  onChange: (ids: readonly number[]) => void
  /** Called with pending text and the records it means, if any; otherwise the text is an error. */
  onTyped?: (ids: readonly number[], text: string) => void
  /** On blur, pending text counts at once, while `onChange` follows after the press that took the focus. */
  onTaken?: (ids: readonly number[]) => void
  onBlur?: () => void
  placeholder?: string
}

export function RefsInput(props: InputProps) {
  const { form, shown, edit } = props
  const { t } = useTexts()
  const definition = shown.definition as RefField
  const many = definition.kind === 'refs'
  const value = useMemo(
    () => (many ? (shown.value as readonly number[]) : shown.value === 0 ? [] : [shown.value as number]),
    [many, shown.value],
  )
  const words = useWords(props)
  const targetsOf = resourceByName(definition.to)?.targets
  const isRaised = value.some((id) => {
    const row = view.find(definition.to, id)
    return row !== undefined && targetsOf?.(row).mode === 'alert'
  })
  const set = (ids: readonly number[]) => form.set(shown.field, many ? ids : (ids.at(-1) ?? 0))
  return (
    <RefsPicker
      {...words}
      help={words.help ?? (isRaised ? t('ui.rule.form.raised') : undefined)}
      definition={definition}
      fieldName={shown.field}
      value={value}
      onChange={(ids) => edit(() => set(ids))}
      onTyped={(ids, text) =>
        edit(() => {
          const named = takenByEnter(definition, { typed: text, options: [], fieldName: shown.field, view })
          set(named && many ? [...new Set([...ids, ...named])] : (named ?? ids))
          if (!named) form.setText(shown.field, text)
        })
      }
      onTaken={set}
      onBlur={() => edit(() => form.touch(shown.field))}
    />
  )
}

export function RefsPicker(props: RefsPickerProps) {
  const { definition, fieldName, value, label, help, error } = props
  const { t, say, translator } = useTexts()
  const to = resourceByName(definition.to)
  const many = definition.kind === 'refs'
  const version = useValue(() => (to ? records.version$(to.name).get() : 0))
  const id = useId()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const [isAllShown, setAllShown] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const { onOpenChange, popover: room } = useRoom(root)
  // Pending text counts, but becomes a chip only when taken.
  const before = useRef(value)
  const isTyping = typed.trim() !== ''
  const chosen = isTyping ? before.current : value
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the records that the view reads
  const options = useMemo(
    () => (to ? optionsFor(to, { typed, chosen: new Set(chosen), many, view }) : []),
    [to, typed, chosen, many, version],
  )

  const put = (ids: readonly number[]) => {
    before.current = many ? [...new Set(ids)] : ids
    if (isTyping && props.onTyped) props.onTyped(before.current, typed)
    else props.onChange(before.current)
  }
  // A chip may be removed before the pending text becomes one.
  const withChips = (ids: readonly number[]) =>
    many ? [...new Set([...(isTyping ? before.current : value), ...ids])] : ids
  const add = (ids: readonly number[]) => {
    props.onChange(withChips(ids))
    setTyped('')
    setWrong(null)
  }
  const type = (text: string) => {
    if (!isTyping) before.current = value
    setTyped(text)
    setWrong(null)
    if (text.trim() === '') props.onChange(before.current)
    else props.onTyped?.(before.current, text)
  }
  const readTyped = () => takenByEnter(definition, { typed, options, fieldName, view })
  const takeTyped = () => {
    const taken = readTyped()
    if (taken) add(taken)
    else setWrong(options.length > 1 ? t('ui.picker.several') : t('ui.picker.none', { text: typed.trim() }))
  }
  const make = useContext(MakeInPlace)
  const create = make && to && createActionFor(to, { viewer: session.viewer(), supports: session.supports })
  const isMaking = useRef(false)
  const makeNew = () => {
    isMaking.current = true
    make?.({
      resource: to!,
      title: isQuery(typed) ? '' : typed.trim(),
      onSaved: (made) => made !== null && add([made]),
      onEnd() {
        isMaking.current = false
        requestAnimationFrame(() => root.current?.querySelector('input')?.focus())
      },
    })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const isChosen = event.currentTarget.hasAttribute('aria-activedescendant')
    if (event.key === 'Backspace' && typed === '' && value.length > 0) put(value.slice(0, -1))
    if (event.key !== 'Enter' || isChosen || !isTyping) return
    event.preventDefault()
    event.stopPropagation()
    takeTyped()
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!/[,;\n]|^[\d\s#]+$/.test(text.trim())) return
    event.preventDefault()
    const parsed = readPasted(definition, text, { fieldName, view })
    if (parsed.ok) return add(many ? (parsed.value as readonly number[]) : [parsed.value as number])
    type(text.replaceAll(/\s*\n\s*/g, ', '))
    setWrong(problemSentence(translator, parsed.problem))
  }

  const textOf = ({ kind, text, ids }: PickerOption) => {
    if (kind === 'all') return t('ui.picker.all', { count: ids.length })
    return kind === 'new' && create ? `${say(actionKey(create))}…` : text
  }
  const nameOf = (ref: number) => view.title(definition.to, ref) ?? `#${ref}`
  const isKnown = (ref: number) => view.find(definition.to, ref) !== undefined
  const chips = isAllShown ? chosen : chosen.slice(0, chipsShown)
  const problem = wrong ?? error
  return (
    <ComboBox<PickerOption>
      className={box.field}
      aria-labelledby={`${id}-label`}
      {...described(`${id}-note`, { help, error: problem })}
      items={create ? [...options, { key: 'new', kind: 'new', text: '', extra: '', ids: [] }] : options}
      inputValue={typed}
      onInputChange={(text) => text !== typed && type(text)}
      value={null}
      onChange={(key) => {
        if (key === 'new') return makeNew()
        const option = options.find((one) => one.key === key)
        if (option) add(option.ids)
      }}
      onBlur={() => {
        if (isMaking.current) return
        const taken = isTyping && readTyped()
        if (taken) (props.onTaken ?? props.onChange)(withChips(taken))
        afterPress(() => {
          if (isTyping) takeTyped()
          props.onBlur?.()
        })
      }}
      defaultFilter={() => true}
      allowsEmptyCollection
      menuTrigger="input"
      isInvalid={problem !== null}
      onOpenChange={onOpenChange}
    >
      <span className={box.label} id={`${id}-label`}>
        {label}
      </span>
      <div ref={root} className={css.field} data-invalid={problem !== null || undefined}>
        {chips.map((ref) => (
          <RemovableTag
            key={ref}
            text={isKnown(ref) ? nameOf(ref) : t('ui.picker.gone', { id: String(ref) })}
            label={t('ui.picker.remove', { name: nameOf(ref) })}
            isInInput
            onRemove={() => put(chosen.filter((one) => one !== ref))}
          />
        ))}
        {chosen.length > chipsShown && (
          <button
            type="button"
            className={css.more}
            aria-expanded={isAllShown}
            onClick={() => setAllShown(!isAllShown)}
          >
            {isAllShown ? t('ui.picker.fewer') : t('ui.picker.more', { count: chosen.length - chipsShown })}
          </button>
        )}
        <Input
          className={typed === '' && chosen.length > 0 ? css.text : css.typing}
          placeholder={
            chosen.length === 0
              ? (props.placeholder ?? t(many ? 'ui.picker.placeholder' : 'ui.picker.placeholderOne'))
              : ''
          }
          autoComplete="off"
          spellCheck={false}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <Button className={css.toggle} aria-label={t('ui.picker.open')}>
          <Icon name="chevron-down" size={14} />
        </Button>
      </div>
      {(help || problem) && <FieldNote id={`${id}-note`} help={help} error={problem} />}
      <Popover {...room} className={box.popover}>
        <section aria-label={label}>
          <ListBox<PickerOption>
            aria-label={label}
            renderEmptyState={() => (
              <div className={`${box.option} ${box.faint}`}>{t('ui.picker.none', { text: typed.trim() })}</div>
            )}
          >
            {(option) => {
              const text = textOf(option)
              const kindOf = resourceByName(option.extra)
              return (
                <ListBoxItem id={option.key} textValue={text} className={box.option}>
                  <span className={css.icon}>
                    <Icon
                      name={
                        option.kind === 'group' && kindOf ? kindOf.icon : option.kind === 'record' ? to!.icon : 'plus'
                      }
                      size={14}
                    />
                  </span>
                  <span className={css.name}>{text}</span>
                  <span className={css.extra}>
                    {option.kind === 'group'
                      ? t('ui.picker.group', { noun: say(textKey.one(option.extra)), number: option.ids.length })
                      : option.extra}
                  </span>
                </ListBoxItem>
              )
            }}
          </ListBox>
        </section>
      </Popover>
    </ComboBox>
  )
}
