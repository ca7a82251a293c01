// npm run bench [-- server cli web]: builds what is stale, then measures; without words it writes docs/develop/benchmarks.md.
import { spawnSync } from 'node:child_process'
import { build } from './build.mjs'
import { install, root } from './install.mjs'

install()
await build()
const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'tests/bench/main.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
