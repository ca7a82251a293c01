// npm run soak [-- --minutes 60 --agents 500 --services 200 --reporters 5 --rules 50 --viewers 3]: builds what is stale, then lets a fleet work on the server.
import { spawnSync } from 'node:child_process'
import { build } from './build.mjs'
import { install, root } from './install.mjs'

install()
await build()
const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'tests/bench/soak.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
