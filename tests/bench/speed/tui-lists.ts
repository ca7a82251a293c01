import { type Product, startProduct } from '../product.ts'
import { atMost, type Row, spread } from '../row.ts'
import { withManyServers } from './many.ts'
import { openScreen } from './open-screen.ts'

const size = { columns: 120, rows: 36 }
const inMs = { unit: 'ms', digits: 0 }
const filter = 'copy 123'
/** What goes to the terminal when the second row has changed. */
const rowOfFilter = '\u001b[2;'

/** Figures of issue 18 of long lists in the terminal UI: rows of 1,000 servers without a cache, and a key of the filter of 10,000. */
export async function tuiListRows(): Promise<Row[]> {
  return [await firstRows(), await withManyServers(10_000, filterKeys)]
}

async function firstRows(): Promise<Row> {
  const product = await startProduct()
  try {
    await product.agents(1000, 2000)
    const times: number[] = []
    for (let index = 0; index < 9; index++) {
      const started = performance.now()
      const screen = openScreen(product, size)
      await screen.shows((rows) => rows.filter((row) => /^[▌ ] [●▲] [a-z]+-/.test(row)).length >= 20, 60_000)
      times.push(performance.now() - started)
      await screen.close()
    }
    const what = '1,000 servers, 120x36: first rows without a cache, sign-in included, from the spawn'
    return atMost({ what, ...inMs, limit: 600, figure: spread(times).p50 })
  } finally {
    await product.close()
  }
}

/** From each letter until the filter stands on the screen with what it leaves. */
async function filterKeys(product: Product): Promise<Row> {
  const screen = openScreen(product, size)
  try {
    await screen.shows(/Servers {2}10.?000/, 60_000)
    const times: number[] = []
    for (let round = 0; round < 10; round++) {
      await screen.press('/')
      for (const letter of filter) {
        const seen = screen.written().length
        const at = performance.now()
        screen.send(letter)
        await screen.writes((text) => text.includes(rowOfFilter), seen)
        times.push(performance.now() - at)
      }
      await screen.shows(`/${filter}`)
      await screen.press('Escape', 'Escape')
      await screen.shows(/Servers {2}10.?000/)
    }
    const { p50, p95 } = spread(times)
    const what = `10,000 servers, 120x36: a key of the filter, p95 (p50 ${p50.toFixed(0)} ms)`
    return atMost({ what, ...inMs, limit: 60, figure: p95 })
  } finally {
    await screen.close()
  }
}
