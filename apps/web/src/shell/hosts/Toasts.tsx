import { useValue } from '@legendapp/state/react'
import { plainLines } from '@qd/core/define'
import { run as runResource, runStateOf } from '@qd/core/resources'
import { undoMs } from '@qd/core/store'
import { recordPath } from '@qd/core/view'
import { useEffect, useState } from 'react'
import {
  type QueuedToast,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components'
import { capsOf } from '../../act/keys/keys.ts'
import { copy, undo } from '../../act/perform/perform.ts'
import { navigate } from '../../act/places/navigate.ts'
import { ports } from '../../base/ports.ts'
import type { Notice } from '../../base/state/overlays.ts'
import { runner } from '../../base/state/runner.ts'
import { records } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { type AnyIcon, Icon } from '../../ui/drawings/Icon.tsx'
import * as css from './Toasts.css.ts'
import { toasts } from './toast-queue.ts'

const icons = { plain: 'check', ok: 'check', warn: 'triangle-alert', bad: 'circle-alert' } as const satisfies Record<
  Notice['tone'],
  AnyIcon
>

/** F6 focuses the toasts. */
export function Toasts() {
  const { t } = useTexts()
  return (
    <ToastRegion queue={toasts} aria-label={t('ui.toast.region')} className={css.region}>
      {({ toast }) => (
        <Toast toast={toast} className={css.toast}>
          <span className={css.icon[toast.content.tone]}>
            <Icon name={icons[toast.content.tone]} />
          </span>
          <ToastContent className={css.words}>
            <Text slot="title" className={css.title}>
              {plainLines(toast.content.title)}
            </Text>
            <Text slot="description">
              {(toast.content.details ?? []).map((detail) => (
                <span key={detail} className={css.detail} style={{ display: 'block' }}>
                  {plainLines(detail)}
                </span>
              ))}
              {toast.content.run !== undefined && <RunLine id={toast.content.run} />}
            </Text>
          </ToastContent>
          <div className={css.acts}>
            <Acts toast={toast} />
          </div>
        </Toast>
      )}
    </ToastRegion>
  )
}

function Acts({ toast: { key, content } }: { toast: QueuedToast<Notice> }) {
  const { t } = useTexts()
  const close = () => toasts.close(key)
  const { link, run } = content
  const leads = run === undefined ? link : { label: t('ui.toast.results'), to: recordPath(runResource, run) }
  return (
    <>
      {content.canUndo && <UndoButton />}
      {leads && (
        <Button
          size="small"
          onPress={() => {
            navigate(leads.to)
            close()
          }}
        >
          {leads.label}
        </Button>
      )}
      {content.tone === 'bad' && (
        <IconButton
          size="small"
          icon="copy"
          label={t('ui.toast.copy')}
          onPress={() => void copy([content.title, ...(content.details ?? [])].join('\n'), t('ui.toast.message'))}
        />
      )}
      {!content.canUndo && <IconButton size="small" icon="x" label={t('ui.toast.dismiss')} onPress={close} />}
      {run !== undefined && <RunEnd id={run} close={close} />}
    </>
  )
}

function UndoButton() {
  const { t } = useTexts()
  const until = useValue(() => runner.undo$.get()?.until ?? 0)
  const [now, setNow] = useState(() => ports.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(ports.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const leftMs = Math.max(0, until - now)
  return (
    <>
      <Button size="small" tone="primary" caps={capsOf('undo')} onPress={() => void undo()}>
        {t('ui.toast.undo')}
      </Button>
      <span className={css.left} aria-hidden="true">
        {t('ui.units.seconds', { value: Math.ceil(leftMs / 1000) })}
      </span>
      <span className={css.progress} style={{ width: `${(leftMs / undoMs) * 100}%` }} />
    </>
  )
}

function useCounts(id: number) {
  return useValue(() => {
    const row = records.row$(runResource.name, id).get() ?? records.detail$(runResource.name, id).get()
    return row ? (row.counts as Parameters<typeof runStateOf>[0]) : null
  })
}

/** Progress of a run, from evidence only. */
function RunLine({ id }: { id: number }) {
  const { t } = useTexts()
  const counts = useCounts(id)
  useEffect(() => {
    void records.loadOne(runResource.name, id).catch(() => undefined)
  }, [id])
  if (!counts) return null
  const done = counts.success + counts.failure + counts.no_answer
  const all = done + counts.waiting + counts.sent + counts.running
  return (
    <>
      <span className={css.detail} style={{ display: 'block' }}>
        {t('ui.toast.progress', { done, all })}
      </span>
      {done < all && <span className={css.progress} style={{ width: `${(done / all) * 100}%` }} />}
    </>
  )
}

/** Closes a run’s toast a little after the run ends. */
function RunEnd({ id, close }: { id: number; close: () => void }) {
  const counts = useCounts(id)
  const isOver = counts !== null && runStateOf(counts) !== 'open'
  useEffect(() => (isOver ? ports.setTimer(close, 5000) : undefined), [isOver, close])
  return null
}
