// For the Dockerfile: builds the server, puts it with all it needs into a folder, and qd beside it.
import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from './build.mjs'
import { root } from './install.mjs'
import { stage } from './stage.mjs'

const target = resolve(process.argv[2])
await build()
stage('quarterdeck', target)
for (const part of ['dist', 'bin'])
  cpSync(join(root, 'apps/tui', part), join(target, 'apps/tui', part), { recursive: true })
