// Runs a list with the commands of qd and keeps what V8 compiled for it, so that later starts need not: node scripts/compile.mjs commands.cjs
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { Script } from 'node:vm'

const [file] = process.argv.slice(2)
const script = new Script(readFileSync(file, 'utf8'), { filename: file })
const module = { exports: {} }
script.runInThisContext()(createRequire(file), module)

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ success: true, data: [{ id: 1, name: 'a', host: {}, state: {} }] }))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const nobody = { isTTY: false, columns: 80, colorDepth: 0, write: () => undefined }
const code = await module.exports.runProgram({
  args: ['server', 'ls'],
  env: { QD_URL: `http://127.0.0.1:${server.address().port}`, QD_TOKEN: 'token', QD_CONFIG: `${file}.none` },
  cwd: import.meta.dirname,
  home: import.meta.dirname,
  platform: process.platform,
  stdin: { isTTY: false },
  stdout: nobody,
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
server.close()
server.closeAllConnections()
if (code !== 0) throw new Error(`qd server ls ended with ${code}`)
writeFileSync(`${file}.cache`, script.createCachedData())
