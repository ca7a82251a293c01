// One tsc per workspace, so that core really compiles without DOM and Node types. Two at a time.
import { spawn } from 'node:child_process'
import { root } from './install.mjs'

const projects = [
  'packages/protocol',
  'packages/core',
  'apps/web',
  'apps/tui',
  'apps/server',
  'apps/agent',
  'tests',
  'packages/protocol/tsconfig.test.json',
  'packages/core/tsconfig.test.json',
]

function check(project) {
  return new Promise((resolve) => {
    const tsc = spawn(
      process.execPath,
      [`${root}node_modules/typescript/bin/tsc`, '-p', project, '--pretty', 'false'],
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
