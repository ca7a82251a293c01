// One tsc per workspace, so that core really compiles without DOM and Node types. Two at a time; what has not changed is not checked again.
// node scripts/types.mjs [WORKSPACE …]
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { root } from './install.mjs'
import { namedWorkspaces } from './workspaces.mjs'

const named = namedWorkspaces(process.argv.slice(2))
/** A workspace whose sources know no Node has a second project for its tests, which do. */
const ofTests = named.map((one) => `${one}/tsconfig.test.json`).filter((path) => existsSync(root + path))
const projects = [...named, ...ofTests]

function check(project) {
  const known = `${root}.cache/types/${project.replaceAll('/', '-')}.tsbuildinfo`
  return new Promise((resolve) => {
    const tsc = spawn(
      process.execPath,
      [
        `${root}node_modules/typescript/bin/tsc`,
        '-p',
        project,
        '--pretty',
        'false',
        '--incremental',
        '--tsBuildInfoFile',
        known,
      ],
      { cwd: root, stdio: 'inherit' },
    )
    tsc.on('exit', (code) => resolve(code === 0))
  })
}

const results = []
await Promise.all(
  [0, 1].map(async () => {
    for (let project = projects.shift(); project; project = projects.shift()) results.push(await check(project))
  }),
)
process.exitCode = results.every(Boolean) ? 0 : 1
