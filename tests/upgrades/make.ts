// Makes the data folders of earlier versions (tests/data/upgrades): node --import tsx tests/upgrades/make.ts [FROM]
// Each tenth commit that starts, from the FROMth on (0), is started once, filled over its own API, stopped, and its database kept.
import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { createBrowser } from '../support/browser.ts'
import { startSimulatedAgent } from '../support/peers/simulated-agent.ts'
import { admin, siteSecret, uuidOf } from '../support/world.ts'
import { kinds, listed } from './records.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const kept = join(root, 'tests/data/upgrades')
const every = 10
const from = Number(process.argv[2] ?? 0)
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** The tree of a commit with today's packages; its own workspaces come first. */
function checkOut(commit: string): string {
  const tree = mkdtempSync(join(tmpdir(), 'qd-old-'))
  execFileSync(
    'sh',
    [
      '-c',
      'git archive "$1" apps packages package.json tsconfig.base.json locales | tar -x -C "$2"',
      'sh',
      commit,
      tree,
    ],
    { cwd: root },
  )
  const modules = join(tree, 'node_modules')
  mkdirSync(join(modules, '@qd'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@qd') symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const folder of ['apps', 'packages'])
    for (const name of readdirSync(join(tree, folder))) {
      symlinkSync(join(tree, folder, name), join(modules, '@qd', name))
      const own = join(root, folder, name, 'node_modules')
      if (existsSync(own)) symlinkSync(own, join(tree, folder, name, 'node_modules'))
    }
  return tree
}

/** Fills the data folder of one version; returns what it lists then. Errors: throws where it does not start. */
async function fill(tree: string, data: string): Promise<Record<string, string[]>> {
  const flags = ['--no-agent', '--port', '0', '--data', data]
  const child = spawn(process.execPath, ['--import', 'tsx', 'apps/server/src/main.ts', ...flags], {
    cwd: tree,
    env: { ...process.env, QD_ADMIN_PASSWORD: admin.password, QD_AGENT_SECRET: siteSecret },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, errors] = ['', '']
  child.stderr.on('data', (text) => (errors += text))
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      out += text
      const found = /^Quarterdeck is ready: (http:\/\/[^/\s]+)/m.exec(out)
      if (found) resolve(found[1]!)
    })
    child.on('close', (code) => reject(new Error(`ended with ${code}: ${errors.slice(0, 300)}`)))
  })
  try {
    const browser = createBrowser(origin)
    await browser.login(admin.username, admin.password)
    const agent = await startSimulatedAgent({
      port: Number(new URL(origin).port),
      secret: siteSecret,
      uuid: uuidOf(1),
    }).catch(() => null)
    const { body } = await browser.send('GET', '/api/v1/setting')
    const { config } = (body?.data ?? {}) as { config?: object }
    await browser.send('PATCH', '/api/v1/setting', {
      body: { ...config, site_name: 'an old site', user_template: 'user-dist' },
    })
    for (const { path, body } of kinds) await browser.send('POST', `/api/v1/${path}`, { body })
    await agent?.close().catch(() => undefined)
    return await listed(browser)
  } finally {
    const ended = new Promise((resolve) => child.on('close', resolve))
    child.kill('SIGTERM')
    await ended
  }
}

const first = git('log', '--reverse', '--format=%h', '--', 'apps/server/src/main.ts').split('\n')[0]!
const commits = [
  first,
  ...git('rev-list', '--reverse', '--first-parent', '--abbrev-commit', `${first}..HEAD`).split('\n'),
]
mkdirSync(kept, { recursive: true })
for (const [index, commit] of commits.entries()) {
  if (index < from || index % every !== 0) continue
  const tree = checkOut(commit)
  const data = mkdtempSync(join(tmpdir(), 'qd-old-data-'))
  const name = `${String(index).padStart(4, '0')}-${commit.slice(0, 7)}`
  try {
    const records = await fill(tree, data)
    writeFileSync(join(kept, `${name}.db.gz`), gzipSync(readFileSync(join(data, 'quarterdeck.db')), { level: 9 }))
    writeFileSync(join(kept, `${name}.json`), `${JSON.stringify(records, null, 2)}\n`)
    process.stdout.write(`${name}: ${Object.keys(records).join(' ')}\n`)
  } catch (error) {
    process.stdout.write(`${name}: does not start (${(error as Error).message.replace(/\s+/g, ' ').slice(0, 200)})\n`)
  }
  for (const folder of [tree, data]) rmSync(folder, { recursive: true, force: true })
}
