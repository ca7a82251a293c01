// npm run pictures: takes docs/pictures anew from the built product.
import { spawnSync } from 'node:child_process'
import { build } from './build.mjs'
import { install, root } from './install.mjs'

install()
await build()
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', 'tests/pictures/main.ts', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
process.exit(status ?? 1)
