import {
  failureLines,
  movedText,
  paceText,
  shareOf,
  shownName,
  type Transfer,
  type TransferQueue,
} from '@qd/core/files'
import type { Ui } from '../../screen/state/ui.ts'
import type { Workspace } from '../../screen/state/workspace.ts'
import { cutLine, type Line, line, ruleLine, span, spread } from '../../screen/terminal/line.ts'

const endedShown = 4

/** What is transferred now, and what waits or has ended, below a rule; nothing without transfers. */
export function transferLines({ io, workspace }: Ui, queue: TransferQueue, columns: number): readonly Line[] {
  const transfers = queue.list()
  const running = transfers.find(({ state }) => state === 'running')
  const others = transfers.filter((one) => one !== running).slice(-endedShown)
  if (!running && others.length === 0) return []
  const { t } = workspace
  const now = io.now()
  const total = queue.total(now)
  const title = running ? (running.direction === 'upload' ? 'uploading' : 'downloading') : 'ended'
  const all = total.count > 1 ? t('ui.files.transfer.total', { ended: total.done, count: total.count }) : ''
  return [
    ruleLine([span(t(`ui.files.transfer.${title}`), 'bold')], columns, line(all, 'muted')),
    ...(running ? [runningLine(workspace, running, queue.pace(running.id, now), columns)] : []),
    ...others.map((transfer) => otherLine(workspace, transfer, columns)),
  ]
}

function runningLine(
  workspace: Workspace,
  transfer: Transfer,
  pace: ReturnType<TransferQueue['pace']>,
  columns: number,
): Line {
  const share = shareOf(transfer)
  const figures = [
    share === null ? '' : workspace.format.percent(share),
    movedText(transfer, workspace),
    paceText(pace, workspace),
  ]
  return spread(
    [span(transfer.direction === 'upload' ? ' ↑ ' : ' ↓ ', 'accent'), span(shownName(transfer.name), 'bold')],
    [span(`  ${figures.filter(Boolean).join('  ')} `, pace.stalled ? 'bad' : 'muted')],
    columns,
  )
}

const signs = { done: '✓', failed: '✗', cancelled: '-', waiting: '·', running: '·' } as const

function otherLine(workspace: Workspace, transfer: Transfer, columns: number): Line {
  const { state, name, size, result } = transfer
  const { t, format } = workspace
  const why = failureLines(transfer, workspace).join(' · ')
  const figure =
    state === 'done' && size !== null ? format.bytes(size) : state === 'running' ? '' : t(`ui.files.transfer.${state}`)
  const sum = result !== null && result !== 'grew' ? `  SHA-256 ${result}` : ''
  return cutLine(
    [
      span(` ${signs[state]} `, state === 'failed' ? 'bad' : state === 'done' ? 'ok' : 'muted'),
      span(shownName(name)),
      span(`  ${figure}${sum}`, 'muted'),
      span(why === '' ? '' : `  ${why}`, 'bad'),
    ],
    columns,
  )
}
