// npm start: installs, builds what is stale, then runs the server, which starts the agent of this machine.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { build } from './build.mjs'
import { install, refuse, root } from './install.mjs'

install()
try {
  await build()
} catch (error) {
  refuse(`the build failed: ${error.message}`)
}

const program = `${root}apps/server/dist/main.js`
// docs/operate/service.md.
const read = (name) => JSON.parse(readFileSync(`${root}apps/server/${name}`, 'utf8'))
const server = spawn(process.execPath, [...read('node-flags.json'), program, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...read('node-env.json'), ...process.env },
})
const stop = () => server.kill('SIGTERM')
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)

// npm's shell may be gone without a signal having reached us: then nobody would ever stop the server.
const parent = process.ppid
const watch = setInterval(() => process.ppid === parent || stop(), 1000)

server.on('exit', (code, signal) => {
  clearInterval(watch)
  process.exitCode = code ?? (signal === 'SIGTERM' || signal === 'SIGINT' ? 0 : 1)
})
