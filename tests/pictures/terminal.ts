import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { password, root } from '../bench/product.ts'
import { startScreen } from '../tui/screen.ts'

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 36 },
] as const

/** What is typed into a list of servers that is live, and what the screen shows then. */
const screens: Readonly<Record<string, { keys: readonly string[]; shows: string | RegExp }>> = {
  servers: { keys: [], shows: 'live' },
  detail: { keys: ['j', 'j', 'j', 'j', 'j', 'j', 'j', 'Enter'], shows: 'Last few minutes' },
  tasks: { keys: ['g', 't'], shows: 'nightly-backup' },
  form: { keys: ['g', 't', 'c'], shows: 'Tasks › new' },
  // Not before the name of the group is there, which comes after the services.
  services: { keys: ['g', 'v'], shows: /^(?![\s\S]*Notification group +#)[\s\S]*resolver b/ },
  incidents: { keys: ['g', 'i'], shows: 'cpu-hot' },
  'rule-form': { keys: ['g', 'a', '/', ...'cpu-hot', 'Enter', 'e'], shows: /would have fired/i },
  keys: { keys: ['?'], shows: 'THIS LIST' },
}

/** Screens of the terminal UI as text, one file each, without colours. */
export async function takeScreens(url: string, folder: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'qd-pictures-'))
  const env = { QD_USER: 'admin', QD_PASSWORD: password, TZ: 'Europe/Berlin' }
  const qd = join(root, 'apps/tui/dist/qd.cjs')
  try {
    for (const { columns, rows } of sizes)
      for (const [name, { keys, shows }] of Object.entries(screens)) {
        const screen = startScreen({ qd, url, columns, rows, home, env, signedIn: false })
        try {
          await screen.shows('live')
          await screen.press(...keys)
          await screen.shows(shows)
          writeFileSync(join(folder, `tui-${name}-${columns}x${rows}.txt`), `${screen.text()}\n`)
        } finally {
          await screen.close()
        }
      }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const palettes = {
  light: { background: '#ffffff', foreground: '#1f2328', cursor: '#ffffff' },
  dark: { background: '#16181c', foreground: '#e6e6e6', cursor: '#16181c' },
} as const

/** The terminal UI in its colors, as a PNG: the servers of a demo, two of them selected. */
export async function takeTerminal(page: Page, url: string, theme: keyof typeof palettes): Promise<Buffer> {
  const size = { columns: 120, rows: 34 }
  const qd = join(root, 'apps/tui/dist/qd.cjs')
  const env = { QD_USER: 'admin', QD_PASSWORD: password, TZ: 'Europe/Berlin', COLORTERM: 'truecolor' }
  const screen = startScreen({ qd, url, env, signedIn: false, ...size })
  try {
    await screen.shows(/live[\s\S]*api-fra-1/)
    await screen.press('j', 'j', 'j', 'x', 'j', 'x', 'j')
    await screen.shows('2 selected')
    const file = (name: string) => readFileSync(join(root, 'node_modules/@xterm/xterm', name), 'utf8')
    await page.goto('about:blank')
    await page.setContent(
      `<style>${file('css/xterm.css')}main{width:max-content;padding:12px;background:${palettes[theme].background}}</style><main></main>`,
    )
    await page.addScriptTag({ content: file('lib/xterm.js') })
    await page.evaluate(
      ([text, { columns: cols, rows }, colors]) =>
        new Promise<void>((resolve) => {
          const { Terminal } = globalThis as unknown as {
            Terminal: new (options: object) => { open(at: Element): void; write(text: string, done: () => void): void }
          }
          const terminal = new Terminal({ cols, rows, theme: colors, fontFamily: 'DejaVu Sans Mono', fontSize: 13 })
          terminal.open(document.querySelector('main')!)
          terminal.write(text, resolve)
        }),
      [screen.written(), size, palettes[theme]] as const,
    )
    return await page.locator('main').screenshot()
  } finally {
    await screen.close()
  }
}
