import {
  failureLines,
  movedText,
  paceText,
  shareOf,
  shownName,
  type Transfer,
  type TransferQueue,
} from '@qd/core/files'
import { useArea, useLive, useTexts, useUi } from '../../screen/hooks.ts'
import { cutLine, type Line, ruleLine, span, spread } from '../../screen/terminal/line.ts'
import { Row } from '../../screen/ui/rows.tsx'

const endedShown = 4

function shownTransfers(queue: TransferQueue): { running: Transfer | undefined; others: readonly Transfer[] } {
  const transfers = queue.list()
  const running = transfers.find(({ state }) => state === 'running')
  return { running, others: transfers.filter((one) => one !== running).slice(-endedShown) }
}

export function transferRows(queue: TransferQueue): number {
  const { running, others } = shownTransfers(queue)
  const count = others.length + (running ? 1 : 0)
  return count === 0 ? 0 : count + 1
}

export function Transfers({ queue }: { queue: TransferQueue }) {
  const { t } = useTexts()
  const { columns } = useArea()
  const { io } = useUi()
  const { running, others, total, pace } = useLive(() => {
    const now = io.now()
    const { running, others } = shownTransfers(queue)
    return { running, others, total: queue.total(now), pace: running && queue.pace(running.id, now) }
  })
  if (!running && others.length === 0) return null
  const title = running ? (running.direction === 'upload' ? 'uploading' : 'downloading') : 'ended'
  const all = total.count > 1 ? t('ui.files.transfer.total', { ended: total.done, count: total.count }) : ''
  const right: Line = all === '' ? [] : [span(all, 'muted')]
  return (
    <>
      <Row line={ruleLine([span(t(`ui.files.transfer.${title}`), 'bold')], columns, right)} />
      {running && pace && <Running transfer={running} pace={pace} columns={columns} />}
      {others.map((transfer, at) => (
        <Other key={at} transfer={transfer} columns={columns} />
      ))}
    </>
  )
}

interface RunningProps {
  readonly transfer: Transfer
  readonly pace: ReturnType<TransferQueue['pace']>
  readonly columns: number
}

function Running({ transfer, pace, columns }: RunningProps) {
  const { workspace } = useUi()
  const share = shareOf(transfer)
  const figures = [
    share === null ? '' : workspace.format.percent(share),
    movedText(transfer, workspace),
    paceText(pace, workspace),
  ]
  return (
    <Row
      line={spread(
        [span(transfer.direction === 'upload' ? ' ↑ ' : ' ↓ ', 'accent'), span(shownName(transfer.name), 'bold')],
        [span(`  ${figures.filter(Boolean).join('  ')} `, pace.stalled ? 'bad' : 'muted')],
        columns,
      )}
    />
  )
}

const signs = { done: '✓', failed: '✗', cancelled: '-', waiting: '·', running: '·' } as const

function Other({ transfer, columns }: { readonly transfer: Transfer; readonly columns: number }) {
  const { state, name, size, result } = transfer
  const { t, format } = useTexts()
  const why = failureLines(transfer, useUi().workspace).join(' · ')
  const figure =
    state === 'done' && size !== null ? format.bytes(size) : state === 'running' ? '' : t(`ui.files.transfer.${state}`)
  const sum = result !== null && result !== 'grew' ? `  SHA-256 ${result}` : ''
  return (
    <Row
      line={cutLine(
        [
          span(` ${signs[state]} `, state === 'failed' ? 'bad' : state === 'done' ? 'ok' : 'muted'),
          span(shownName(name)),
          span(`  ${figure}${sum}`, 'muted'),
          span(why === '' ? '' : `  ${why}`, 'bad'),
        ],
        columns,
      )}
    />
  )
}
