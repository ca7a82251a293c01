import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startScreen } from '../tui/screen.ts'
import { password, root, startProduct } from './product.ts'
import { atMost, type Row, spread } from './row.ts'

const watchedMs = 20_000

/** The terminal UI in a pseudo-terminal: how soon it shows something, and how much it writes while 200 servers report. */
export async function tuiRows(): Promise<Row[]> {
  const product = await startProduct()
  const home = mkdtempSync(join(tmpdir(), 'qd-bench-tui-'))
  const qd = join(root, 'apps/tui/dist/qd.js')
  const env = { QD_USER: 'admin', QD_PASSWORD: password, COLORTERM: 'truecolor', COLORFGBG: '15;0' }
  const start = (url: string) => startScreen({ qd, url, home, env, columns: 120, rows: 36, signedIn: false })
  try {
    await product.agents(200, 2000)
    const first = start(product.origin)
    await first.shows(/Servers {2}200/, 60_000)
    await first.shows('live')
    const before = first.written().length
    const at = performance.now()
    await first.shows(() => performance.now() - at >= watchedMs, watchedMs * 2)
    const bytesPerSec = Buffer.byteLength(first.written().slice(before)) / ((performance.now() - at) / 1000)
    await first.press('q')
    await first.ended

    const times: number[] = []
    for (let index = 0; index < 9; index++) {
      const started = performance.now()
      const screen = start(product.origin)
      await screen.shows(/Servers {2}200/)
      times.push(performance.now() - started)
      await screen.press('q')
      await screen.ended
    }
    return [
      atMost({
        what: 'first frame of 200 remembered servers, from the spawn',
        limit: 300,
        figure: spread(times).p50,
        unit: 'ms',
        digits: 0,
      }),
      atMost({
        what: 'written with 200 servers reporting every 2 s, 120x36',
        limit: 4,
        figure: bytesPerSec / 1024,
        unit: 'KB/s',
      }),
    ]
  } finally {
    await product.close()
    rmSync(home, { recursive: true, force: true })
  }
}
