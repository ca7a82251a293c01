import { lastItem } from '@qd/core/errors'
import {
  canRetry,
  failureLines,
  leftText,
  movedText,
  paceText,
  shareOf,
  shownName,
  type Transfer,
} from '@qd/core/files'
import { capsOf } from '../act/keys/keys.ts'
import { useTexts } from '../base/state/texts.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/drawings/Icon.tsx'
import * as css from './FilePanel.css.ts'
import type { FileManager } from './file-manager.ts'
import { useTransfers } from './use-manager.ts'

const marks = { done: 'check', failed: 'circle-alert', cancelled: 'ban', waiting: 'clock', running: 'clock' } as const

/** `onAnswered`: a pressed button disappears, so the focus must move. */
interface TransfersProps {
  manager: FileManager
  name: string
  onAnswered: () => void
}

/** Active and queued transfers with their totals (behaviours W-25, W-26, N-14). */
export function Transfers({ manager, name, onAnswered }: TransfersProps) {
  const texts = useTexts()
  const { t } = texts
  const { transfers, now } = useTransfers(manager)
  const { queue } = manager.controller
  if (transfers.length === 0) return null
  const running = transfers.find(({ state }) => state === 'running')
  const isBusy = queue.isBusy()
  const isOne = transfers.filter(({ state }) => state === 'waiting' || state === 'running').length === 1
  const total = queue.total(now)
  const answer = (run: () => void) => () => {
    run()
    onAnswered()
  }
  const title = running ? (running.direction === 'upload' ? 'uploading' : 'downloading') : 'ended'
  const where = running ?? lastItem(transfers)
  const place = { path: shownName(where.path), name }
  return (
    <section className={css.card} aria-label={t(`ui.files.transfer.${title}`)}>
      <div className={css.cardBody}>
        <h2 className={css.cardTitle}>{t(`ui.files.transfer.${title}`)}</h2>
        {running && <Running manager={manager} transfer={running} now={now} />}
        {transfers.length > (running ? 1 : 0) && (
          <div className={css.ended}>
            {transfers
              .filter((one) => one !== running)
              .map((one) => (
                <Other key={one.id} transfer={one} onRetry={() => queue.retry(one.id)} />
              ))}
          </div>
        )}
        {total.count > 1 && (
          <p className={css.small} role="status">
            {[
              t('ui.files.transfer.total', { ended: total.done, count: total.count }),
              total.size !== null && movedText(total, texts),
              total.leftMs !== null && leftText(total, texts),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
        <p className={css.small}>
          {where.direction === 'upload' ? t('ui.files.transfer.to', place) : t('ui.files.transfer.from', place)}
        </p>
      </div>
      <footer className={css.cardFoot}>
        {isBusy ? (
          <>
            {!isOne && (
              <Button size="small" onPress={answer(queue.cancelAll)}>
                {t('ui.files.transfer.cancelAll')}
              </Button>
            )}
            {running && (
              <Button size="small" caps={capsOf('cancelTransfer')} onPress={answer(() => queue.cancel(running.id))}>
                {t(isOne ? 'ui.form.cancel' : 'ui.files.transfer.cancelThis')}
              </Button>
            )}
          </>
        ) : (
          <>
            {transfers.filter(({ state }) => state === 'failed').length > 1 && (
              <Button size="small" caps={capsOf('retryTransfers')} onPress={answer(queue.retryAll)}>
                {t('ui.keys.retryTransfers')}
              </Button>
            )}
            <Button size="small" caps={capsOf('escape')} onPress={answer(queue.clear)}>
              {t('ui.frame.close')}
            </Button>
          </>
        )}
      </footer>
    </section>
  )
}

function Running({ manager, transfer, now }: { manager: FileManager; transfer: Transfer; now: number }) {
  const texts = useTexts()
  const { id, name, size } = transfer
  const pace = manager.controller.queue.pace(id, now)
  const share = shareOf(transfer) ?? 0
  return (
    <div className={css.ended}>
      <div className={css.line}>
        <span className={css.strong} title={shownName(name)}>
          <bdi>{shownName(name)}</bdi>
        </span>
        {size !== null && <span>{texts.format.percent(share)}</span>}
      </div>
      <div
        className={css.bar}
        role="progressbar"
        aria-label={shownName(name)}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(size === null ? {} : { 'aria-valuenow': share })}
      >
        <div className={css.fill} style={{ width: `${share}%` }} />
      </div>
      <div className={css.line}>
        <span className={css.small}>{movedText(transfer, texts)}</span>
        <span className={css.grow} />
        <span className={pace.stalled ? css.bad : css.small}>{paceText(pace, texts)}</span>
      </div>
    </div>
  )
}

function Other({ transfer, onRetry }: { transfer: Transfer; onRetry: () => void }) {
  const { t, format, translator } = useTexts()
  const { state, name, size, error, result } = transfer
  return (
    <div>
      <div className={css.line}>
        <Icon name={marks[state]} size={14} />
        <span className={css.plain} title={shownName(name)}>
          <bdi>{shownName(name)}</bdi>
        </span>
        <span className={state === 'failed' ? css.bad : css.small}>
          {state === 'done' && size !== null
            ? format.bytes(size)
            : t(`ui.files.transfer.${state === 'running' ? 'waiting' : state}`)}
        </span>
        {canRetry(transfer) && (
          <IconButton label={t('ui.files.transfer.retry')} icon="refresh-cw" size="small" onPress={onRetry} />
        )}
      </div>
      {error && <p className={css.bad}>{failureLines(transfer, { translator }).join(' · ')}</p>}
      {result === 'grew' && (
        <p className={css.small}>{t('ui.files.transfer.grew', { size: format.bytes(size ?? 0) })}</p>
      )}
      {result !== null && result !== 'grew' && <p className={css.small}>{`SHA-256 ${result}`}</p>}
    </div>
  )
}
