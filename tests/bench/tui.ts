import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Screen } from '../tui/screen.ts'
import { startProduct, usageOf } from './product.ts'
import { atMost, type Row, spread } from './row.ts'
import { openScreen } from './speed/open-screen.ts'
import { tuiListRows } from './speed/tui-lists.ts'

/** Until a screen is at rest: what it loads and compiles at its start is over. */
const settlingMs = 30_000
const watchedMs = 20_000
const keys = 150
/** Columns, rows, and the ms within which a key is drawn (p95). */
const sizes = [
  [120, 36, 30],
  [200, 50, 40],
] as const

/** The terminal UI in a pseudo-terminal: how soon it shows something, what a key takes, and what it costs while servers report. */
export async function tuiRows(): Promise<Row[]> {
  return [...(await firstFrames()), ...(await busyList()), ...(await tuiListRows())]
}

async function firstFrames(): Promise<Row[]> {
  const product = await startProduct()
  const home = mkdtempSync(join(tmpdir(), 'qd-bench-tui-'))
  const start = () => openScreen(product, { columns: 120, rows: 36, home })
  try {
    await product.agents(200, 2000)
    const first = start()
    await first.shows(/Servers {2}200/, 60_000)
    await first.shows('live')
    const { kilobytes } = await atRest(first)
    await leave(first)

    const times = { count: [] as number[], whole: [] as number[] }
    for (let index = 0; index < 9; index++) {
      const started = performance.now()
      const screen = start()
      await screen.shows(/Servers {2}200/)
      times.count.push(performance.now() - started)
      await screen.shows((rows) => rows[34]!.includes('? keys') && rows.filter((row) => row !== '').length >= 25)
      times.whole.push(performance.now() - started)
      await leave(screen)
    }
    const remembered = 'of 200 remembered servers, from the spawn'
    const inMs = { limit: 400, unit: 'ms', digits: 0 }
    return [
      atMost({ what: `first frame ${remembered}`, ...inMs, figure: spread(times.count).p50 }),
      atMost({ what: `whole first frame ${remembered}`, ...inMs, figure: spread(times.whole).p50 }),
      atMost({
        what: 'written with 200 servers reporting every 2 s, 120x36',
        limit: 8,
        figure: kilobytes,
        unit: 'KB/s',
      }),
    ]
  } finally {
    await product.close()
    rmSync(home, { recursive: true, force: true })
  }
}

async function busyList(): Promise<Row[]> {
  const product = await startProduct()
  const rows: Row[] = []
  try {
    await product.agents(1000, 2000)
    for (const [columns, height, limit] of sizes) {
      const screen = openScreen(product, { columns, rows: height })
      await screen.shows(/Servers {2}1.?000/, 60_000)
      await screen.shows('live')
      const { kilobytes, cpu } = await atRest(screen)
      const resting = usageOf(screen.pid).residentBytes
      const before = { cpu: usageOf(screen.pid).cpuSeconds, at: performance.now() }
      const times = await keyTimes(screen)
      const atWork = usageOf(screen.pid).cpuSeconds - before.cpu
      const perKey = (atWork * 1000 - cpu * (performance.now() - before.at)) / keys
      const used = usageOf(screen.pid).residentBytes
      await leave(screen)
      const here = `1,000 servers, ${columns}x${height}`
      const { p50, p95 } = spread(times)
      rows.push(
        atMost({ what: `${here}: key to frame, p50`, limit, figure: p50, unit: 'ms' }),
        atMost({ what: `${here}: key to frame, p95 of ${keys}`, limit, figure: p95, unit: 'ms' }),
        atMost({ what: `${here}: CPU of a key, beyond that at rest`, limit, figure: perKey, unit: 'ms' }),
        atMost({ what: `${here}: CPU at rest`, limit: 6, figure: cpu * 100, unit: '%' }),
        atMost({ what: `${here}: written at rest`, limit: 8, figure: kilobytes, unit: 'KB/s' }),
        atMost({ what: `${here}: memory at rest`, limit: 150, figure: resting / 2 ** 20, unit: 'MB', digits: 0 }),
        atMost({ what: `${here}: memory after the keys`, limit: 150, figure: used / 2 ** 20, unit: 'MB', digits: 0 }),
      )
    }
    return rows
  } finally {
    await product.close()
  }
}

/** What a screen costs while nobody does anything: a share of a core, and what it writes in a second. */
async function atRest(screen: Screen): Promise<{ cpu: number; kilobytes: number }> {
  const began = performance.now()
  await screen.shows(() => performance.now() - began >= settlingMs, settlingMs * 2)
  const before = { bytes: screen.written().length, cpu: usageOf(screen.pid).cpuSeconds, at: performance.now() }
  await screen.shows(() => performance.now() - before.at >= watchedMs, watchedMs * 2)
  const seconds = (performance.now() - before.at) / 1000
  return {
    cpu: (usageOf(screen.pid).cpuSeconds - before.cpu) / seconds,
    kilobytes: Buffer.byteLength(screen.written().slice(before.bytes)) / seconds / 1024,
  }
}

/** From each key until the mark of the bar comes back in another row, in ms. */
async function keyTimes(screen: Screen): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < keys; index++) {
    const seen = screen.written().length
    const at = performance.now()
    screen.send(index % 40 < 20 ? 'j' : 'k')
    await screen.writes((text) => text.includes('▌'), seen)
    times.push(performance.now() - at)
    await new Promise((resolve) => setTimeout(resolve, 60 + (index % 7) * 9))
  }
  return times
}

async function leave(screen: Screen): Promise<void> {
  await screen.press('q')
  await screen.ended
}
