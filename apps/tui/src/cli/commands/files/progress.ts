import { plainText } from '@qd/core/fields'
import type { TransferProgress } from '@qd/core/files'
import type { Cli } from '../cli.ts'

/** How often the line is written. */
const everyMs = 200

/** A line on a terminal's stderr: how far one file is, how fast, and how long it will take. Silent elsewhere and with `--quiet`. */
export function createProgress(cli: Cli, name: string): { tell(progress: TransferProgress): void; clear(): void } {
  const { io, flags, format, translator } = cli
  const isShown = io.stderr.isTTY && !flags.quiet
  const begunAt = io.now()
  let begunWith: number | null = null
  let shownAt = 0
  let isThere = false
  return {
    tell({ done, total, stalled }) {
      begunWith ??= done
      const now = io.now()
      if (!isShown || now - shownAt < everyMs) return
      shownAt = now
      const rate = ((done - begunWith) / Math.max(1, now - begunAt)) * 1000
      const left = rate > 0 ? format.duration(Math.ceil((total - done) / rate)) : ''
      const percent = format.percent(total === 0 ? 100 : Math.floor((done / total) * 100))
      const pace = stalled ? translator.t('ui.cli.files.stalled') : `${format.rate(rate)}  ${left}`
      const line = `${plainText(name)}  ${percent}  ${format.bytes(done)} / ${format.bytes(total)}  ${pace}`
      io.stderr.write(`\r\u001b[K${line.slice(0, io.stderr.columns - 1)}`)
      isThere = true
    },
    clear() {
      if (isThere) io.stderr.write('\r\u001b[K')
      isThere = false
    },
  }
}
