import { spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

/** Where the tests run as root, hosts are set up by somebody who is not. */
const someone = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const uuid = uuidOf(7)
/** A file as an existing agent writes it. */
const settings = `client_secret: oldsecretoldsecretoldsecretoldse
custom_ip_api: []
debug: false
disable_auto_update: true
disable_command_execute: false
dns:
  - 192.0.2.53:53
gpu: true
hard_drive_partition_allowlist: [/, /srv]
nic_allowlist: {eth0: true, docker0: false}
report_delay: 3
self_update_period: 0
server: monitor.example.org:443
skip_connection_count: "true"
temperature: false
tls: true
uuid: ${uuid}
`

let programs: Programs
let world: World
let home: string
beforeAll(async () => {
  programs = await buildPrograms()
  world = await createWorld({ config: { agentBundle: programs.agent } })
})
afterAll(async () => {
  await world.close()
  programs.close()
})
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'qd-home-'))
  for (const folder of ['bin', 'units', 'nezha']) mkdirSync(join(home, folder))
  write('nezha/config.yml', settings)
  write('units/nezha-agent.service', `[Service]\nExecStart=/opt/nezha-agent "-c" "${home}/nezha/config.yml"\n`)
  systemctl('exit 0')
  if (someone.uid)
    for (const path of ['', 'bin', 'units', 'nezha']) chownSync(join(home, path), someone.uid, someone.gid)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const write = (name: string, text: string) => writeFileSync(join(home, name), text, { mode: 0o644 })
const read = (name: string) => readFileSync(join(home, name), 'utf8')

/** A stand-in that writes down what it is asked; `more` decides on the exit code. */
function systemctl(more: string): void {
  write('bin/systemctl', `#!/bin/sh\necho "$*" >>'${home}/called'\n${more}\n`)
  chmodSync(join(home, 'bin/systemctl'), 0o755)
}

function run(command: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const PATH = `${join(home, 'bin')}:${join(process.execPath, '..')}:/usr/local/bin:/usr/bin:/bin`
    const env = { PATH, HOME: home, QD_UNIT_DIR: join(home, 'units') }
    const child = spawn('sh', ['-c', command], { ...someone, cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('close', (code) => resolve({ code, output }))
  })
}

const script = () => `curl -fsSL ${world.origin}/install.sh`
const takeOver = (words = `--take-over ${home}/nezha/config.yml`) =>
  run(`${script()} | NZ_SERVER=127.0.0.1:${world.port} NZ_CLIENT_SECRET=${siteSecret} NZ_TLS=false sh -s -- ${words}`)
const called = () => read('called').trim().split('\n').slice(1)

test('issue 16: the existing agent’s service is replaced, its record stays, and one command gives it back', async () => {
  const { code, output } = await takeOver()
  expect([code, output]).toEqual([
    0,
    expect.stringContaining('and replaces nezha-agent.service; "uninstall" restores it'),
  ])
  for (const key of ['dns', 'gpu', 'disable_auto_update']) expect(output).toContain(`${key} has no effect: `)
  expect(called()).toEqual([
    '--user disable --now nezha-agent.service',
    '--user daemon-reload',
    '--user enable quarterdeck-agent.service',
    '--user restart quarterdeck-agent.service',
    '--user is-active --quiet quarterdeck-agent.service',
  ])
  expect(JSON.parse(read('.quarterdeck-agent/agent.json'))).toMatchObject({
    uuid,
    server: `127.0.0.1:${world.port}`,
    client_secret: siteSecret,
    tls: false,
    report_delay: 3,
    hard_drive_partition_allowlist: ['/', '/srv'],
    nic_allowlist: { eth0: true, docker0: false },
    skip_connection_count: true,
    temperature: false,
    dns: ['192.0.2.53:53'],
  })
  expect(read('nezha/config.yml')).toBe(settings)

  const command = /^ExecStart=(.*)$/m.exec(read('units/quarterdeck-agent.service'))![1]!
  const agent = spawn('sh', ['-c', `exec ${command}`], { ...someone, cwd: home, env: { HOME: home }, stdio: 'ignore' })
  await expect.poll(() => world.server.container.servers.byUuid(uuid)?.id).toBeGreaterThan(0)
  agent.kill('SIGTERM')
  await new Promise((resolve) => agent.once('close', resolve))

  const back = await run(`${script()} | sh -s uninstall`)
  expect([back.code, back.output]).toEqual([
    0,
    expect.stringContaining('the service nezha-agent.service is running again'),
  ])
  expect(called().at(-1)).toBe('--user enable --now nezha-agent.service')
  expect([existsSync(join(home, '.quarterdeck-agent')), read('nezha/config.yml')]).toEqual([false, settings])
})

test('an agent that does not stay up gives the service back at once', async () => {
  systemctl('case "$*" in *is-active*) exit 3 ;; esac')
  const { code, output } = await takeOver()
  expect([code, output]).toEqual([1, expect.stringContaining('the service nezha-agent.service is running again')])
  expect(called().at(-1)).toBe('--user enable --now nezha-agent.service')
})

test.each([
  ['a file that is not there', '--take-over nothing.yml', /nothing\.yml not found; nothing was changed/],
  [
    'no file named, and none where its installer puts it',
    '--take-over',
    /give its configuration with --take-over FILE. Nothing/,
  ],
  ['a file that no service runs with', '--take-over other.yml', /no systemd service uses .*other\.yml; nothing/],
  [
    'no YAML',
    '--take-over bad.yml',
    /bad\.yml is not YAML: .*cannot use the configuration in .*; nothing was changed/s,
  ],
  ['no identity', '--take-over anonymous.yml', /contains no uuid.*nothing was changed/s],
])('%s changes nothing', async (_name, words, reason) => {
  write('other.yml', settings)
  write('bad.yml', 'server: [')
  write('anonymous.yml', settings.replace(/^uuid.*$/m, ''))
  write('units/more.service', `ExecStart=/opt/nezha-agent -c ${home}/bad.yml -c ${home}/anonymous.yml\n`)
  const { code, output } = await takeOver(words)
  expect(output).toMatch(reason)
  expect([code, existsSync(join(home, '.quarterdeck-agent')), called()]).toEqual([1, false, []])
})
