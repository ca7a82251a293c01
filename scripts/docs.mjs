// npm run docs [-- --dev]: installs VitePress beside the pages, writes those that are made from the product, and builds docs/.vitepress/dist, or serves the pages while you write.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { install, refuse, root } from './install.mjs'

const docs = `${root}docs`
const run = (command, args, cwd) => {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const unknown = process.argv.slice(2).filter((word) => word !== '--dev')
if (unknown.length > 0) refuse(`npm run docs knows only --dev, not ${unknown.join(' ')}`)
install()
const lock = readFileSync(`${docs}/package-lock.json`, 'utf8')
const stamp = `${docs}/node_modules/.package-lock-installed`
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], docs)
  writeFileSync(stamp, lock)
}
run(process.execPath, ['--import', 'tsx', 'tests/support/docs/main.ts'], root)
run(
  process.execPath,
  ['node_modules/vitepress/bin/vitepress.js', process.argv.includes('--dev') ? 'dev' : 'build'],
  docs,
)
