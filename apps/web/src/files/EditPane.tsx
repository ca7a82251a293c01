import { plainText } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import {
  differenceOf,
  type EditedText,
  type FileEntry,
  maxEditBytes,
  readText,
  saveText,
  shownName,
} from '@qd/core/files'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { onCommands } from '../act/keys/commands.ts'
import { capsOf } from '../act/keys/keys.ts'
import { notify } from '../base/state/overlays.ts'
import { useTexts } from '../base/state/texts.ts'
import { Discard } from '../record/form/Discard.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import * as css from './FilePanel.css.ts'
import type { FileManager } from './file-manager.ts'

/** Editor for texts up to 1 MiB. It overwrites only the version it read; otherwise it shows both. */
export function EditPane({ manager, entry, path }: { manager: FileManager; entry: FileEntry; path: string }) {
  const { t, format } = useTexts()
  const [before, setBefore] = useState<EditedText | null>(null)
  const [text, setText] = useState('')
  const [theirs, setTheirs] = useState<EditedText | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const { session, browser } = manager.controller
  const name = shownName(entry.name)
  const close = () => {
    manager.closeEdit()
    void browser.refresh()
  }
  const leave = () => (before !== null && text !== before.text ? setLeaving(true) : close())
  useEffect(() => {
    let isHere = true
    readText(session, path).then(
      (read) => {
        if (!isHere) return
        if (read === null) {
          notify({ tone: 'warn', title: t('ui.files.edit.notText', { size: format.bytes(maxEditBytes) }) })
          return manager.closeEdit()
        }
        setBefore(read)
        setText(read.text)
      },
      (thrown: unknown) => {
        if (!isHere) return
        manager.fail(toAppError(thrown))
        manager.closeEdit()
      },
    )
    return () => {
      isHere = false
    }
  }, [session, path, manager, t, format])
  useEffect(() => {
    if (before) field.current?.focus()
  }, [before])
  const save = async (copy: boolean) => {
    if (!before || isSaving) return
    setSaving(true)
    try {
      const saved = await saveText(session, { path, before, text, copy })
      if (saved.kind === 'saved') {
        notify({ tone: 'ok', title: t('ui.files.edit.saved', { name }) })
        return close()
      }
      setTheirs(saved.theirs ?? { ...before, text: '' })
    } catch (thrown) {
      manager.fail(thrown)
    } finally {
      setSaving(false)
    }
  }
  useEffect(() => onCommands({ save: () => void save(theirs !== null) }))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || isLeaving) return
    event.preventDefault()
    leave()
  }
  return (
    <form className={css.content} data-form="" onKeyDown={onKeyDown} onSubmit={(event) => event.preventDefault()}>
      <div>
        <div className={css.previewHead}>
          <IconButton label={t('ui.files.look.close')} icon="arrow-left" size="small" onPress={leave} />
          <b className={css.strong} title={name}>
            <bdi>{t('ui.files.edit.title', { name })}</bdi>
          </b>
          {theirs && (
            <Button size="small" tone="primary" caps={capsOf('save')} onPress={() => void save(true)}>
              {t('ui.files.edit.saveCopy')}
            </Button>
          )}
          {!theirs && (
            <Button size="small" tone="primary" caps={capsOf('save')} onPress={() => void save(false)}>
              {t('ui.keys.save')}
            </Button>
          )}
        </div>
        {theirs && (
          <div className={css.notes}>
            <Note tone="warn" title={t('ui.files.edit.changed')}>
              <Difference before={theirs.text} after={text} />
            </Note>
          </div>
        )}
      </div>
      <textarea
        ref={field}
        className={css.editor}
        aria-label={t('ui.files.edit.text')}
        value={text}
        readOnly={before === null}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      {isLeaving && (
        <Discard
          changes={name}
          onAnswer={(goes) => {
            setLeaving(false)
            if (goes) close()
          }}
        />
      )}
    </form>
  )
}

const signs = { both: ' ', gone: '-', come: '+' } as const

function Difference({ before, after }: { before: string; after: string }) {
  return (
    <div className={css.diff} dir="ltr">
      {differenceOf(before, after)
        .slice(0, 400)
        .map(({ kind, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing else
          <div key={index} className={kind === 'gone' ? css.gone : kind === 'come' ? css.come : undefined}>
            {`${signs[kind]} ${plainText(text)}`}
          </div>
        ))}
    </div>
  )
}
