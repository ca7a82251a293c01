import { lastItem } from '@qd/core/errors'
import { canRetry, leftPart, shownName, type Transfer } from '@qd/core/files'
import { errorText } from '@qd/core/i18n'
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
  const { t, format } = useTexts()
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
              total.size !== null &&
                t('ui.files.transfer.moved', { moved: format.bytes(total.moved), size: format.bytes(total.size) }),
              total.leftMs !== null &&
                total.rate !== null &&
                t('ui.files.transfer.left', {
                  rate: format.rate(total.rate),
                  span: format.duration(Math.ceil(total.leftMs / 1000)),
                }),
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
  const { t, format } = useTexts()
  const { id, name, moved, size } = transfer
  const { rate, leftMs, stalled } = manager.controller.queue.pace(id, now)
  const share = size === null || size === 0 ? 0 : Math.min(100, Math.floor((moved / size) * 100))
  const figures =
    rate === null
      ? ''
      : leftMs === null
        ? format.rate(rate)
        : t('ui.files.transfer.left', {
            rate: format.rate(rate),
            span: format.duration(Math.ceil(leftMs / 1000)),
          })
  return (
    <div className={css.ended}>
      <div className={css.line}>
        <span className={css.strong} title={shownName(name)}>
          <bdi>{shownName(name)}</bdi>
        </span>
        {size !== null && <span>{format.percent(share)}</span>}
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
        <span className={css.small}>
          {size === null
            ? format.bytes(moved)
            : t('ui.files.transfer.moved', { moved: format.bytes(moved), size: format.bytes(size) })}
        </span>
        <span className={css.grow} />
        <span className={stalled ? css.bad : css.small}>{stalled ? t('ui.files.transfer.stalled') : figures}</span>
      </div>
    </div>
  )
}

function Other({ transfer, onRetry }: { transfer: Transfer; onRetry: () => void }) {
  const { t, format, translator } = useTexts()
  const { state, name, size, error, result } = transfer
  const said = () => {
    if (!error) return null
    const { title, details } = errorText(translator, error)
    return [title, ...details].join(' · ')
  }
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
      {error && <p className={css.bad}>{said()}</p>}
      {leftPart(transfer) && <p className={css.bad}>{t('ui.files.transfer.incomplete')}</p>}
      {result === 'grew' && (
        <p className={css.small}>{t('ui.files.transfer.grew', { size: format.bytes(size ?? 0) })}</p>
      )}
      {result !== null && result !== 'grew' && <p className={css.small}>{`SHA-256 ${result}`}</p>}
    </div>
  )
}
