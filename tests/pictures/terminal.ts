import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { password, root } from '../bench/product.ts'
import { type Screen, startScreen } from '../tui/screen.ts'

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 36 },
] as const

/** What is typed, and what the screen shows then. */
const screens: Readonly<Record<string, (screen: Screen) => Promise<unknown>>> = {
  servers: (screen) => screen.shows('live'),
  async detail(screen) {
    for (let step = 0; step < 9; step++) await screen.press('j')
    await screen.press('Enter')
    return screen.shows('Address')
  },
  async tasks(screen) {
    await screen.press('Escape')
    await screen.shows(/qd {2}Servers {2}\d/)
    await screen.press('g', 't')
    return screen.shows(/qd {2}Tasks {2}\d/)
  },
  async form(screen) {
    await screen.press('c')
    return screen.shows('Tasks › new')
  },
  async keys(screen) {
    await screen.press('Escape', '?')
    return screen.shows('Keys')
  },
}

/** Screens of the terminal UI as text, one file each, without colours. */
export async function takeScreens(url: string, folder: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'qd-pictures-'))
  try {
    for (const { columns, rows } of sizes) {
      const screen = startScreen({
        qd: join(root, 'apps/tui/dist/qd.js'),
        url,
        columns,
        rows,
        home,
        env: { QD_USER: 'admin', QD_PASSWORD: password, TZ: 'Europe/Berlin' },
        signedIn: false,
      })
      for (const [name, reach] of Object.entries(screens)) {
        await reach(screen)
        writeFileSync(join(folder, `tui-${name}-${columns}x${rows}.txt`), `${screen.text()}\n`)
      }
      await screen.close()
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
