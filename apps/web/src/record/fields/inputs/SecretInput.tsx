import { type Field, fieldKey } from '@qd/core/define'
import { hasSecret } from '@qd/core/view'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { onCommand } from '../../../act/keys/commands.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/drawings/Icon.tsx'
import { box, field as fieldStyle, label as labelStyle } from '../../../ui/inputs/Field.css.ts'
import { described, FieldNote } from '../../../ui/inputs/Field.tsx'
import { Input, TextArea } from '../../../ui/inputs/Input.tsx'
import { PlaceholderPicker } from '../../notifiers/PlaceholderPicker.tsx'
import * as css from './Inputs.css.ts'
import { type InputProps, machine, rowsOf, textControl, useWords } from './input.ts'

const typedIn = 'textarea, input:not([role="combobox"], [type="hidden"])'

type Secret = Extract<Field, { kind: 'secret' }>
const secretOf = ({ shown }: InputProps) => shown.definition as Secret

export function SecretInput(props: InputProps) {
  const { form, shown, edit } = props
  const [isTyping, setTyping] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const put = (value: string | null, types: boolean) => {
    setTyping(types)
    edit(() => form.set(shown.field, value))
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('input, textarea, button')?.focus())
  }
  const isStored = hasSecret(form, shown)
  const isKept = shown.value === null || (shown.value === '' && !isTyping)
  return (
    <div ref={root} className={css.root}>
      {isStored && isKept ? (
        <Stored props={props} put={put} />
      ) : (
        <Typed props={props} root={root} onKeep={isStored ? () => put('', false) : null} />
      )}
    </div>
  )
}

function Stored({ props, put }: { props: InputProps; put: (value: string | null, types: boolean) => void }) {
  const { t, say } = useTexts()
  const id = useId()
  const { label, error } = useWords(props)
  const isCleared = props.shown.value === null
  const { masked } = secretOf(props)
  const readable = masked && !isCleared ? String(props.form.base?.[masked.field] ?? '') : ''
  const reason = secretOf(props).needed ? t('ui.secret.needed') : null
  return (
    <div className={fieldStyle}>
      <span className={labelStyle} id={`${id}-label`}>
        {label}
        <span className={css.extra}>{t('ui.secret.stored')}</span>
      </span>
      <fieldset className={`${box()} ${css.stored}`} aria-labelledby={`${id}-label`} {...described(id, { error })}>
        <Icon name="key" size={14} />
        <span className={css.word}>{t(isCleared ? 'ui.secret.cleared' : 'ui.secret.unchanged')}</span>
        {isCleared ? (
          <Button tone="ghost" size="small" onPress={() => put('', false)}>
            {t('ui.secret.keep')}
          </Button>
        ) : (
          <>
            <Button tone="ghost" size="small" onPress={() => put('', true)}>
              {t('ui.secret.replace')}
            </Button>
            <Button tone="ghost" size="small" reason={reason} onPress={() => put(null, false)}>
              {t('ui.secret.clear')}
            </Button>
          </>
        )}
      </fieldset>
      {readable !== '' && (
        <section
          className={css.readable}
          aria-label={say(fieldKey(props.form.shape, masked?.field ?? ''))}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
          tabIndex={0}
        >
          {readable}
        </section>
      )}
      {error && <FieldNote id={id} error={error} />}
    </div>
  )
}

/** `onKeep` restores the stored secret; null if there is none. */
function Typed({
  props,
  root,
  onKeep,
}: {
  props: InputProps
  root: RefObject<HTMLDivElement | null>
  onKeep: (() => void) | null
}) {
  const { t } = useTexts()
  const [isShown, setShown] = useState(false)
  const { lines, template, needed, password } = secretOf(props)
  const words = useWords(props)
  const mayKeep = props.form.mode === 'edit' && !needed && onKeep === null && !lines && !password
  const help = words.help ?? (mayKeep ? t('ui.form.keepSecret') : undefined)
  const control = { ...words, help, ...textControl(props), ...machine, face: 'mono' as const }
  const isOpen = lines || template
  const reveal = isShown ? t('ui.login.hide') : t('ui.login.show')
  return (
    <>
      {(template || onKeep) && (
        <div className={css.tools}>
          {onKeep && (
            <Button tone="ghost" size="small" icon="undo-2" onPress={onKeep}>
              {t('ui.secret.keep')}
            </Button>
          )}
          {template && <Placeholders props={props} root={root} />}
        </div>
      )}
      {lines ? (
        <TextArea {...control} rows={rowsOf(props, 3)} />
      ) : (
        <Input
          {...control}
          type={isOpen || isShown ? 'text' : 'password'}
          autoComplete={isOpen ? 'off' : `${password ?? 'new'}-password`}
          required={props.shown.required}
          end={
            !isOpen && (
              <IconButton
                size="small"
                label={reveal}
                icon={isShown ? 'eye-off' : 'eye'}
                onPress={() => setShown(!isShown)}
              />
            )
          }
        />
      )}
    </>
  )
}

/** The placeholder picker of the input in `root`, inserting at its cursor. */
function Placeholders({ props, root }: { props: InputProps; root: RefObject<HTMLDivElement | null> }) {
  const { form, shown, edit } = props
  const [isOpen, setOpen] = useState(false)
  const control = () => root.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>(typedIn) ?? null
  useEffect(() =>
    onCommand('insert', () => {
      if (document.activeElement !== control()) return false
      setOpen(true)
      return true
    }),
  )
  const insert = (placeholder: string) => {
    const input = control()
    const text = form.text(shown.field)
    const from = input?.selectionStart ?? text.length
    const to = input?.selectionEnd ?? text.length
    edit(() => form.setText(shown.field, text.slice(0, from) + placeholder + text.slice(to)))
    setOpen(false)
    requestAnimationFrame(() => {
      const end = from + placeholder.length
      input?.focus()
      input?.setSelectionRange(end, end)
    })
  }
  const units = form.values().format_metric_units === true
  return <PlaceholderPicker units={units} isOpen={isOpen} onOpen={setOpen} onInsert={insert} />
}
