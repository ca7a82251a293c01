import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { password, root, startProduct } from './product.ts'
import { type Row, samples, spread } from './row.ts'

function run(args: readonly string[], env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code}`))))
  })
}

/** Cold starts of `qd`, as multiples of a node that does nothing. */
export async function cliRows(): Promise<Row[]> {
  const product = await startProduct()
  const home = mkdtempSync(join(tmpdir(), 'qd-bench-home-'))
  const qd = join(root, 'apps/tui/dist/qd.cjs')
  const env = { HOME: home, XDG_CONFIG_HOME: home, QD_URL: product.origin, QD_USER: 'admin', QD_PASSWORD: password }
  try {
    await product.agents(20, 3000)
    await run([qd, 'login'], env)
    const bare = spread(await samples(15, () => run(['-e', '0'], env))).p50
    const row = async (what: string, limit: number, args: string[]): Promise<Row> => {
      const { p50 } = spread(await samples(15, () => run([qd, ...args], env)))
      const ratio = p50 / bare
      return {
        what,
        budget: `${limit} x bare node`,
        measured: `${ratio.toFixed(2)} x (${p50.toFixed(0)} ms)`,
        met: ratio <= limit,
      }
    }
    // Node 22 keeps what it compiled.
    const limit = Number(process.versions.node.split('.')[0]) >= 22 ? 1.6 : 2.2
    return [await row('qd --version', 1.3, ['--version']), await row('qd server ls', limit, ['server', 'ls'])]
  } finally {
    await product.close()
    rmSync(home, { recursive: true, force: true })
  }
}
