import { errorText, type Format, type Translator } from '../../i18n/index.ts'
import type { FilePreview } from './controller.ts'
import { textPreviewBytes } from './preview.ts'
import { leftPart, type QueueTotal, type Transfer, type TransferQueue } from './queue.ts'

interface Texts {
  readonly translator: Translator
  readonly format: Format
}

/** "3.1 of 8 MiB", or what has moved while the size isn’t known. */
export const movedText = ({ size, moved }: Pick<Transfer, 'size' | 'moved'>, { translator, format }: Texts): string =>
  size === null
    ? format.bytes(moved)
    : translator.t('ui.files.transfer.moved', { moved: format.bytes(moved), size: format.bytes(size) })

/** "2 MiB/s, 12 s left"; empty while nothing is known. */
export function leftText({ rate, leftMs }: Pick<QueueTotal, 'rate' | 'leftMs'>, { translator, format }: Texts): string {
  if (rate === null) return ''
  if (leftMs === null) return format.rate(rate)
  const span = format.duration(Math.ceil(leftMs / 1000))
  return translator.t('ui.files.transfer.left', { rate: format.rate(rate), span })
}

/** How fast a running transfer goes, or that it doesn’t. */
export const paceText = (pace: ReturnType<TransferQueue['pace']>, texts: Texts): string =>
  pace.stalled ? texts.translator.t('ui.files.transfer.stalled') : leftText(pace, texts)

/** Percent of a running transfer; null while its size isn’t known. */
export const shareOf = ({ size, moved }: Pick<Transfer, 'size' | 'moved'>): number | null =>
  size ? Math.min(100, Math.floor((moved / size) * 100)) : null

/** Why a transfer failed, and what it left behind. */
export function failureLines(transfer: Transfer, { translator }: Pick<Texts, 'translator'>): readonly string[] {
  if (!transfer.error) return []
  const { title, details } = errorText(translator, transfer.error)
  return [title, ...details, ...(leftPart(transfer) ? [translator.t('ui.files.transfer.incomplete')] : [])]
}

/** Which part of a text is shown; empty for anything else. */
export function partText({ preview, size }: FilePreview, { translator, format }: Texts): string {
  if (preview.kind !== 'text') return ''
  if (!preview.isWhole) return translator.t('ui.files.look.end', { size: format.bytes(textPreviewBytes) })
  return size === null ? '' : translator.t('ui.files.look.whole', { size: format.bytes(size) })
}
