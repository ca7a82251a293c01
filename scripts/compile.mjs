// Runs a script of qd (`buildScripts` in build.mjs) as a person would, and keeps what V8 compiled for it, so that later starts need not:
// node scripts/compile.mjs commands.cjs
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { Script } from 'node:vm'
import { WebSocketServer } from 'ws'

const [file] = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'qd-compile-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
// V8 refuses what was made under other flags than it has when a script is loaded: the terminal UI must not change any here.
process.getBuiltinModule('node:v8').setFlagsFromString = () => undefined

const row = { id: 1, name: 'a', host: {}, state: { cpu: 1 } }
/** Everything else is a list of one. */
const answers = { profile: { id: 1, username: 'admin', role: 0 }, capabilities: {}, setting: {} }
const server = createServer(({ url }, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ success: true, data: answers[url.split('/').pop().split('?')[0]] ?? [row] }))
})
new WebSocketServer({ server }).on('connection', (socket) =>
  socket.send(JSON.stringify({ now: Date.now(), online: 1, servers: [row] })),
)
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

const keyboard = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => keyboard })
/** Presses keys once the screen shows that it is live, then leaves. */
const keys = ['j', 'k', ':', '\u001b', 'q']
const press = () => {
  const key = keys.shift()
  if (key === undefined) return
  keyboard.write(key)
  setTimeout(press, 100)
}
let shown = ''
const screen = new Writable({
  write(chunk, _encoding, done) {
    const isAwaited = !shown.includes('live')
    shown += chunk
    if (isAwaited && shown.includes('live')) press()
    done()
  },
})
Object.assign(screen, { isTTY: true, columns: 120, rows: 36 })
Object.defineProperty(process, 'stdin', { value: keyboard })
Object.defineProperty(process, 'stdout', { value: screen })

const tooLong = setTimeout(() => {
  throw new Error(`${file} was not live in time\n${JSON.stringify(shown)}`)
}, 20_000)
const script = new Script(readFileSync(file, 'utf8'), { filename: file })
const module = { exports: {} }
script.runInThisContext()(createRequire(file), module)
const { runProgram, runWithUi } = module.exports
const code = await (runWithUi ?? runProgram)({
  args: runWithUi ? [] : ['server', 'ls'],
  env: { QD_URL: `http://127.0.0.1:${server.address().port}`, QD_TOKEN: 'token', TERM: 'xterm-256color' },
  cwd: home,
  home,
  platform: process.platform,
  stdin: { isTTY: runWithUi !== undefined },
  stdout: {
    isTTY: runWithUi !== undefined,
    columns: 120,
    rows: 36,
    colorDepth: 24,
    write: () => undefined,
    flush: async () => undefined,
  },
  stderr: process.stderr,
  unicode: true,
  now: Date.now,
  random: Math.random,
  setTimer: (run, ms) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  onInterrupt: () => () => undefined,
})
clearTimeout(tooLong)
if (code !== 0) throw new Error(`${file} ended with ${code}\n${shown}`)
writeFileSync(`${file}.cache`, script.createCachedData())
process.exit()
