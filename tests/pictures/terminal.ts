import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
