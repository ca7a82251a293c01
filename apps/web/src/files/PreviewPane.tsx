import { plainLines } from '@qd/core/define'
import { partText, type ShownFile, shownName } from '@qd/core/files'
import { errorText } from '@qd/core/i18n'
import { useEffect, useMemo, useRef } from 'react'
import { capsOf } from '../act/keys/keys.ts'
import { useTexts } from '../base/state/texts.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import * as css from './FilePanel.css.ts'
import type { FileManager } from './file-manager.ts'

/** Shows a file in place of its folder: the end of a text, which can be followed, or a picture. Nothing in it is executed. */
export function PreviewPane({ manager, preview }: { manager: FileManager; preview: ShownFile }) {
  const texts = useTexts()
  const { t, format, translator } = texts
  const { entry, loaded, error, isFollowing } = preview
  const name = shownName(entry.name)
  const shown = loaded?.preview
  const failure = error && errorText(translator, error)
  const isTooLarge = error?.code === 'tooLarge' && typeof error.params.size === 'number'
  const pane = useRef<HTMLDivElement>(null)
  // The list that had the focus is gone; a text takes the focus itself when loaded.
  useEffect(() => pane.current?.focus(), [])
  return (
    <div ref={pane} tabIndex={-1} className={css.preview}>
      <div className={css.previewHead}>
        <IconButton
          label={t('ui.files.look.close')}
          icon="arrow-left"
          size="small"
          caps={capsOf('escape')}
          onPress={manager.closePreview}
        />
        <b className={css.strong} title={name}>
          <bdi>{name}</bdi>
        </b>
        <span className={css.small}>{loaded && partText(loaded, texts)}</span>
        {shown?.kind === 'text' && (
          <Button size="small" caps={capsOf('follow')} aria-pressed={isFollowing} onPress={manager.follow}>
            {isFollowing ? t('ui.files.look.following') : t('ui.keys.follow')}
          </Button>
        )}
        {shown?.kind === 'text' && (
          <IconButton
            label={t('ui.keys.editFile')}
            icon="pencil"
            size="small"
            caps={capsOf('editFile')}
            onPress={() => manager.edit(entry)}
          />
        )}
        <IconButton
          label={t('ui.keys.download')}
          icon="download"
          size="small"
          caps={capsOf('download')}
          onPress={() => manager.download([entry])}
        />
      </div>
      {failure && (
        <p className={css.empty} role="alert">
          {isTooLarge
            ? t('ui.files.look.tooLarge', { size: format.bytes(Number(error.params.size)) })
            : [failure.title, ...failure.details].join(' · ')}
        </p>
      )}
      {!failure && !shown && <p className={css.empty}>{t('ui.list.loading')}</p>}
      {!failure && shown?.kind === 'text' && <TextEnd text={shown.text} name={name} />}
      {!failure && shown?.kind === 'picture' && <Picture bytes={shown.bytes} type={shown.type} name={name} />}
      {!failure && (shown?.kind === 'binary' || shown?.kind === 'empty') && (
        <p className={css.empty}>{t(`ui.files.look.${shown.kind}`)}</p>
      )}
    </div>
  )
}

function TextEnd({ text, name }: { text: string; name: string }) {
  const element = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new text is followed to its end
  useEffect(() => {
    const box = element.current
    if (box) box.scrollTop = box.scrollHeight
  }, [text])
  useEffect(() => element.current?.focus(), [])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section ref={element} className={css.previewText} tabIndex={0} aria-label={name} dir="auto">
      {plainLines(text)}
    </section>
  )
}

function Picture({ bytes, type, name }: { bytes: Uint8Array; type: string; name: string }) {
  // The page’s CSP allows pictures from its own origin and data URLs only.
  const source = useMemo(() => `data:${type};base64,${toBase64(bytes)}`, [bytes, type])
  return (
    <div className={css.picture}>
      <img src={source} alt={name} />
    </div>
  )
}

const pieceBytes = 32_768

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += pieceBytes)
    text += String.fromCharCode(...bytes.subarray(at, at + pieceBytes))
  return btoa(text)
}
