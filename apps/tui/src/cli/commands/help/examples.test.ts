import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../../../../tests/acceptance/receiver.ts'
import { type ExampleCommand, readExample } from '../../../../../../tests/support/example-lines.ts'
import { fakeContainers } from '../../../../../../tests/support/hosts/fake-containers.ts'
import { fakeMounts } from '../../../../../../tests/support/hosts/fake-mounts.ts'
import { fakeUpdates } from '../../../../../../tests/support/hosts/fake-updates.ts'
import { type RealAgent, startRealAgent } from '../../../../../../tests/support/peers/real-agent.ts'
import { buildAgent } from '../../../../../../tests/support/programs.ts'
import { startReplay } from '../../../../../../tests/support/replay/dashboard.ts'
import { memberKinds, sampleBody } from '../../../../../../tests/support/samples.ts'
import { docPages } from '../../../../../../tests/support/sources.ts'
import { createTestIo } from '../../../../../../tests/support/tui/io.ts'
import { admin, createWorld, siteSecret, uuidOf, type World } from '../../../../../../tests/support/world.ts'
import { runProgram } from '../../../start/program.ts'
import { serveMcp } from '../../mcp/serve.ts'
import { watchList } from '../../watch/watch-list.ts'
import type { Command, CommandGroup } from '../command.ts'
import { commandTree } from '../tree.ts'

const project = new URL('../../../../../../', import.meta.url)
/** Below the project, where the server's threads find what loads their sources. */
mkdirSync(new URL('.cache', project), { recursive: true })
const folder = mkdtempSync(fileURLToPath(new URL('.cache/examples-', project)))
const host = join(folder, 'host')
let world: World
let dash: { url: string } | null = null
let receiver: Receiver
let agent: Awaited<ReturnType<typeof buildAgent>>
const agents: RealAgent[] = []

/** What the examples read. */
const files = {
  url: 'http://127.0.0.1:9/hook?key=1',
  'body.json': '{"text":"#NEZHA#"}',
  'header.json': '{"X-Key":"1"}',
  'rules.txt': 'cpu > 90 for 5m',
  'token.txt': 'dns-token',
  secret: 'client-secret',
  password: 'a long enough password',
  'old.txt': admin.password,
  'new.txt': 'another horse battery staple',
  'setup.sh': 'echo set up',
  'app.conf': 'port = 80\n',
  'site/index.html': '<p>hello</p>\n',
  'block.json': '{"address":"203.0.113.9"}',
  'tasks.yaml':
    'quarterdeck: 1\ncron:\n  - name: imported\n    task_type: triggered\n    command: uptime\n    cover: onlyListed\n    servers: [web-1]\n',
  'host/var/log/syslog': 'a line\n',
  'host/etc/nginx/nginx.conf': '# nothing\n',
  'host/etc/hosts': '127.0.0.1 localhost\n',
  'host/etc/os-release': 'ID=debian\n',
  'host/etc/app.conf': 'port = 80\n',
  'host/tmp/old.log': 'old\n',
  'host/tmp/build/out': 'x\n',
  'host/var/www/keep': '',
  'host/srv/keep': '',
  // A host with one unit and one port, whatever this machine has.
  'bin/systemctl':
    '#!/bin/sh\nif [ "$1" = show ]; then printf \'Id=nginx.service\\nLoadState=loaded\\nActiveState=active\\nUnitFileState=enabled\\n\'; fi\n',
  'bin/ss': '#!/bin/sh\necho \'tcp LISTEN 0 128 0.0.0.0:22 0.0.0.0:* users:(("sshd",pid=7,fd=3))\'\n',
  ...fakeContainers,
  ...fakeMounts,
  // Updates are never those of this machine.
  ...fakeUpdates,
  'bin/apt-get': '#!/bin/sh\n',
}

function writeFiles() {
  rmSync(host, { recursive: true, force: true })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text, { mode: 0o600 })
  }
  for (const name of readdirSync(join(folder, 'bin'))) chmodSync(join(folder, 'bin', name), 0o700)
}

beforeAll(async () => {
  writeFiles()
  // Files are named from where a person stands.
  process.chdir(folder)
  agent = await buildAgent()
  world = await createWorld({ config: { agentBundle: agent.agent } })
  receiver = await startReceiver('hook', folder)
  Object.assign(files, { url: `${receiver.url}/200/hook` })
  writeFiles()
  writeFileSync(join(folder, 'fleet.yaml'), JSON.stringify(fleet(receiver.url)), { mode: 0o600 })
  await makeFleet()
}, 120_000)

afterAll(async () => {
  await Promise.all(agents.map((one) => one.stop()))
  await receiver?.close()
  await world?.close()
  agent?.close()
  process.chdir(fileURLToPath(project))
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** The fleet that the examples name: web-1 and web-2 are here, the others are away, and of each entity there are twelve. */
async function makeFleet() {
  let browser = await world.login()
  for (let id = 1; id <= 12; id += 1) {
    await world.agent({ uuid: uuidOf(id), host: { version: '2.2.0' } })
    await until(async () => ((await browser.api('GET', 'server')) as unknown[]).length === id)
    await browser.api('PATCH', `server/${id}`, { name: ['web-1', 'web-2', 'db-1'][id - 1] ?? `host-${id}` })
  }
  await all([
    `setting set --install-host 127.0.0.1:${world.port} --outbound-allowlist 127.0.0.1`,
    ...['kim', ...each([], (name) => name).slice(2)].map(
      (name) => `user create --username ${name} --new-password-file new.txt`,
    ),
    'apply fleet.yaml --yes',
  ])
  const { db } = world.server.container
  await db
    .insertInto('incidents')
    .values(each([], (name, id) => incident(name, id)))
    .execute()
  // The engine knows what is open from its start.
  await world.restart()
  browser = await world.login()
  for (const id of [1, 2])
    agents.push(
      startRealAgent({
        program: agent.agent,
        port: world.port,
        secret: siteSecret,
        uuid: uuidOf(id),
        folder: mkdtempSync(join(folder, 'agent-')),
        environment: { PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
      }),
    )
  const isOnline = ({ id, last_active }: { id: number; last_active: string }) =>
    id > 2 || Date.now() - Date.parse(last_active) < 3000
  await until(async () => ((await browser.api('GET', 'server')) as Parameters<typeof isOnline>[0][]).every(isOnline))
  await all(each([], () => "exec web-1 -q -- 'exit 1'").slice(1))
  const named = fleet(receiver.url)
  for (const kind of memberKinds.filter(({ name }) => !(name in named)))
    for (const name of each([], (name) => name))
      await browser.api('POST', kind.wire.path, sampleBody(kind, { name, server: 1 }))
  for (const _ of [1, 2]) await world.login()
  sessions = ((await browser.api('GET', 'session')) as { id: number; current: boolean }[])
    .filter(({ current }) => !current)
    .map(({ id }) => String(id))
  const scopes = ['nezha:inventory:read', 'nezha:server:exec', 'nezha:cron:read']
  const { token } = (await browser.api('POST', 'api-tokens', { name: 'script', scopes, expires_in_days: 1 })) as {
    token: string
  }
  Object.assign(files, { token, 'ci.token': token })
  for (const id of each([], (_name, id) => id)) await browser.api('POST', 'waf/block', { address: `198.51.100.${id}` })
}

async function all(lines: readonly string[]) {
  for (const line of lines) {
    const [command] = readExample(`qd ${line}`).commands
    const ended = await qd(command!)
    if (ended.code !== 0 && command!.words[0] !== 'exec') throw new Error(`${line}: ${ended.stderr}`)
  }
}

const each = <T>(named: readonly string[], make: (name: string, id: number) => T): T[] =>
  Array.from({ length: 12 }, (_, index) => make(named[index] ?? `thing-${index + 1}`, index + 1))

const incident = (name: string, id: number) => ({
  ...{ id, owner_id: 1, created_at: Date.now(), updated_at: Date.now() },
  ...{
    source: 'alert-rule',
    rule_id: 2,
    service_id: 0,
    server_id: id,
    name,
    state: 'open',
    reading: 'null',
    error: '',
  },
  ...{ closed_at: null, acked_by: '', acked_at: null, silenced_until: null, quiet: 0 },
  ...{ told: '[]', runs: '[]', responses: '[]', notice_pending: 0, tasks_pending: 0 },
})

const fleet = (hook: string) => ({
  quarterdeck: 1,
  'server-group': each(['web', 'db', 'edge'], (name) => ({
    name,
    servers: { web: ['web-1', 'web-2'], db: ['db-1'] }[name] ?? ['web-1'],
  })),
  notification: each(['phone', 'chat'], (name) => ({ name, url: hook, request_method: 'GET' })),
  'notification-group': each(['night'], (name) => ({ name, notifications: ['phone'] })),
  'alert-rule': each(['busy', 'gone'], (name) => ({
    name,
    rules: [
      name === 'gone'
        ? { type: 'offline', duration: 10, cover: 0, ignore: { 'web-1': true, 'web-2': true } }
        : { type: 'cpu', max: 90, duration: 100, cover: 0, ignore: {} },
    ],
    notification_group_id: 'night',
  })),
  service: each(['shop'], (name) => ({ name, type: 'tcp', target: '127.0.0.1:9' })),
  cron: each(['backup', 'cleanup', 'hourly', 'hello'], (name) => ({
    name,
    task_type: 'triggered',
    command: 'true',
    cover: 'onlyListed',
    servers: ['web-1'],
  })),
  ddns: each(['home'], (name) => ({ name, provider: 'dummy', domains: ['lab.example.net'] })),
  nat: each(['grafana'], (name) => ({
    name,
    server_id: 'web-1',
    host: new URL(hook).host,
    domain: `${name}.example.org`,
  })),
  'maintenance-window': each(['move'], (name) => ({
    name,
    starts_at: '2036-01-01T00:00:00Z',
    ends_at: '2036-01-01T01:00:00Z',
    cover: 'onlyListed',
    servers: ['db-1'],
  })),
  'sign-in-provider': each(['GitHub'], (name) => ({
    name,
    kind: 'oidc',
    base_url: hook,
    client_id: 'qd',
    client_secret: 'secret',
    site_url: world.origin,
  })),
})

let arrivals = 100

/** The words with addresses of this test. A machine without a journal still says something. */
const known = (word: string) =>
  word
    .replace(/^journalctl$/, 'echo')
    .replace(/https:\/\/status\.example\.(net|com)|http:\/\/127\.0\.0\.1:8008/, world.origin)
    .replace('https://monitor.example.org', dash?.url ?? '')

/** IDs of sessions are random. */
let sessions: readonly string[] = []
/** The run of a rollout that waits for its file, so that it can be paused. */
let rollout: number | null = null

/** Places of hosts are below a folder of this machine. */
function placed(words: readonly string[]): string[] {
  const isFiles = words[0] === 'files'
  if (words[0] === 'session') return words.map((word) => word.replace(/^7/, sessions[0]!).replace(/12$/, sessions[1]!))
  if (words[0] === 'run' && rollout !== null) return words.map((word) => word.replace(/^12$/, String(rollout)))
  return words.map((word) => (isFiles ? known(word).replace(/^((?:[\w-]+)?:|)(?=\/)/, `$1${host}`) : known(word)))
}

/** The stand-in of docker ends by itself, as it does when its container stops. */
const goesOn = (words: readonly string[]) =>
  words[0] === 'watch' || (words.includes('--follow') && words[0] !== 'container')

async function qd({ words, env, input, output }: ExampleCommand) {
  const value = (text: string) => known(text.replace(/\$\(cat ([\w.]+)\)/, (_, name) => read(name).trim()))
  const own = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, value(text)]))
  const isElsewhere = words.some((word) => word.includes('monitor.example.org'))
  const account = { QD_USER: admin.username, QD_PASSWORD: isElsewhere ? 'admin' : admin.password }
  if (isElsewhere) writeFileSync(join(folder, 'token'), `nzp_${'p'.repeat(32)}`, { mode: 0o600 })
  const io = createTestIo({
    args: placed(words),
    env: {
      QD_URL: world.origin,
      QD_CONFIG: join(folder, 'config.json'),
      EDITOR: 'true',
      ...('QD_TOKEN' in own || words.includes('--token-file') ? {} : account),
      ...own,
    },
    home: folder,
    cwd: folder,
    input: input === null ? piped(words) : read(input),
  })
  let code: number | null = null
  const ended = runProgram(io, null, (cli, watched, { onStop }) => watchList(cli, watched, onStop), serveMcp)
  void ended.then((given) => {
    code = given
  })
  // What watches goes on until Ctrl+C.
  if (goesOn(words)) {
    // A host may have nothing to say.
    const isReading = () => world.server.container.streams.all().some(({ purpose }) => purpose === 'logs')
    await until(() => io.written().stdout !== '' || isReading() || code !== null)
    io.interrupt()
  }
  const isOver = () => (code ?? io.exitCode) !== null
  // What waits for a server goes on until one has come. It doesn't stay: the other examples reach all servers.
  if (words[1] === 'install' && words.includes('--wait')) {
    await until(() => io.written().stdout !== '' || code !== null)
    const uuid = uuidOf(arrivals++)
    const came = await world.agent({ uuid, host: { version: '2.2.0' } })
    await until(isOver)
    await came.close()
    const browser = await world.login()
    const rows = (await browser.api('GET', 'server')) as { id: number; uuid: string }[]
    const ids = rows.filter((row) => row.uuid === uuid).map(({ id }) => id)
    await browser.api('POST', 'batch-delete/server', ids)
  }
  await until(isOver)
  const written = io.written()
  if (output !== null && !output.startsWith('~') && !output.startsWith('$'))
    writeFileSync(join(folder, output), written.stdout, { mode: 0o600 })
  return { code: code ?? io.exitCode, ...written }
}

const until = (holds: () => boolean | Promise<boolean>) =>
  vi.waitFor(
    async () => {
      if (!(await holds())) throw new Error('not yet')
    },
    { timeout: 30_000, interval: 20 },
  )

const read = (name: string) => readFileSync(join(folder, name), 'utf8')

function examplesOfHelp(): string[] {
  const examples: string[] = []
  const walk = (commands: readonly (Command | CommandGroup)[]) => {
    for (const command of commands)
      if ('commands' in command) walk(command.commands)
      else examples.push(...command.examples)
  }
  walk(commandTree())
  return [...new Set(examples)]
}

const pages = ['README.md', ...docPages()]

function linesOf(page: string): string[] {
  // That section is tried against such a dashboard, in existing-readme.test.ts.
  const text = readFileSync(new URL(page, project), 'utf8').replace(
    /## Use it with the dashboard you have[\s\S]*?(?=^## )/m,
    '',
  )
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block]) => block!.split('\n'))
    .filter((line) => /(^|[\s(])qd\b/.test(line))
}

/** What stdin holds for a flag that reads it. */
function piped(words: readonly string[]): string {
  if (words.includes('--url-file')) return files.url
  if (words.includes('--token-file')) return files['ci.token' as never]
  return words.includes('--password-file') ? admin.password : ''
}

/** Needs a person at a terminal, and says so. */
const person = { code: 2, says: /terminal|your input|password is required|missing required flag: --code/ }
/** Refused as the record is. */
const state = { code: 1, says: /not possible right now/ }
/** Here is no such record, because no fleet has one all the time. */
const absent = { code: 3, says: /nothing matches/ }
/** The agents of this test aren't started by a supervisor. */
const unsupervised = { code: 1, says: /failure/ }
const away = { code: 1, says: /offline when the run started/ }
const someAway = { code: 6, says: /no.answer|offline/ }
/** `qd doctor` found something. */
const found = { code: 6, says: /\S/ }
/** The run that is looked at failed. */
const failed = { code: 1, says: /failure|exit_code/ }

/** What ends with another code than 0 here, and what it says there. */
const otherwise: readonly (readonly [line: RegExp, ended: { code: number; says: RegExp }])[] = [
  [/^qd sign-in-provider create/, { code: 8, says: /--client-id: required/ }],
  [/^qd( demo)?$/, person],
  [/^qd server shell 7/, { code: 1, says: /offline/i }],
  [
    /^qd (server shell|container shell|server config web-1 --edit|login --provider|account password$|account bind|account totp$)/,
    person,
  ],
  [/^qd migrate .*--from-user admin --(dry-run|yes)$/, person],
  [/^qd (run (watch|wait|again) 7)/, failed],
  [/^qd server force-update --select 'version/, away],
  [/^qd server force-update/, unsupervised],
  [/^qd exec --all/, someAway],
  [/^qd doctor/, found],
  [/^qd server revoke-secret/, { code: 1, says: /no secret of its own/ }],
  [
    /^qd (setting (keep|revert)|user (reset-totp|end-rotation)|account (end-rotation|totp-off|recovery-codes|unbind|password-o))/,
    state,
  ],
  [/^qd account totp --code/, { code: 4, says: /wrong code/ }],
  [/^qd (transfer (get|cancel|retry)|online-user (get|block)|waf (unblock --select|get))/, absent],
  [/^qd unit ls failed --fail-if-any/, { code: 6, says: /offline: / }],
  // No process of this machine has this PID for sure.
  [/^qd process (get|signal|kill)/, { code: 3, says: /nothing matches|offline|no process/ }],
  [/^qd unit restart --select 'failed'/, { code: 3, says: /nothing matches|offline/ }],
  // No host of the examples needs a reboot.
  [/^qd package upgrade-all .*--on reboot/, { code: 3, says: /nothing matches/ }],
  [/^qd ddns update 7$/, { code: 1, says: /\S/ }],
]

async function tried(line: string) {
  const { commands, codes } = readExample(line)
  const typed = line
    .replace(/ +#.*$/, '')
    .replace(/^npx /, '')
    .trim()
  const said = otherwise.find(([pattern]) => pattern.test(typed))?.[1]
  for (const command of commands) {
    const isWatching = goesOn(command.words)
    const ended = await qd(command)
    const text = ended.stdout + ended.stderr
    const wanted = said ? [said.code] : codes.length > 0 ? codes : [isWatching ? 130 : 0]
    const isRight = wanted.includes(ended.code!) && (!said || said.says.test(text))
    expect(
      isRight ? '' : `${ended.code} instead of ${wanted.join(' or ')}: qd ${command.words.join(' ')}\n${text}`,
    ).toBe('')
    if (ended.code === 0) await takeBack(command, ended.stdout)
  }
}

/** What an example makes has a name that others use. */
async function takeBack({ words: [entity, verb, ...words] }: ExampleCommand, stdout: string) {
  if ((verb !== 'create' && verb !== 'duplicate') || words.includes('--dry-run')) return
  const id = Number(stdout.trim())
  const words2 = [entity!, 'delete', String(id), '--yes', ...(entity === 'user' ? ['--confirm', flagOf(words)] : [])]
  if (entity !== 'api-token') await qd({ words: words2, env: {}, input: null, output: null })
}

const flagOf = (words: readonly string[]) => words[words.indexOf('--username') + 1] ?? ''

/** A connection that an example adds isn't there before. */
function writeConfig(line: string) {
  const at = { url: world.origin }
  const profiles = { default: at, ci: at, production: at, ...(/add prod|default prod/.test(line) ? {} : { prod: at }) }
  const config = { profiles: /add ci/.test(line) ? { default: at } : profiles, aliases: { busy: 'server ls' } }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config), { mode: 0o600 })
}

/** What ends something that others still use comes last, and then what changes how to sign in. */
function turnOf([, whole]: readonly [string, string]): number {
  const line = whole.replace(/ #.*$/, '')
  if (line.includes('--dry-run')) return 0
  if (/account password/.test(line)) return 2
  return / (delete|revoke(?!-secret)|logout|account|end-rotation|renew-secret|unblock) ?/.test(line) ? 1 : 0
}

const cases = [
  ...examplesOfHelp().map((line) => ['--help', `qd ${line}`] as const),
  ...pages.flatMap((page) => linesOf(page).map((line) => [page, line] as const)),
].sort((a, b) => turnOf(a) - turnOf(b))

test.each(cases)('issue 36.17 %s: %s', async (_page, line) => {
  writeConfig(line)
  if (/monitor\.example\.org|--from old/.test(line)) dash = await startReplay({ generation: 2 })
  if (line.includes('migrate --from old')) await tried('qd login https://monitor.example.org --profile old')
  if (line.startsWith('qd files mv')) mkdirSync(join(host, 'srv/site'))
  if (/run (pause|resume|stop) 12/.test(line)) await startRollout(line.startsWith('qd run resume'))
  await tried(line)
  if (line.includes('--outbound-allowlist')) await all(['setting set --outbound-allowlist 127.0.0.1'])
  // Fifty files: half the time of all examples, if written before each.
  if (/^(npx )?qd files | run (pause|resume|stop) 12|monitor\.example\.org/.test(line)) writeFiles()
})

async function startRollout(isPaused: boolean) {
  const browser = await world.login()
  const plan = { servers: [1, 2], name: 'app.conf', path: '/app.conf', canary: 1, batch: 1, max_failures: 0 }
  rollout = ((await browser.api('POST', 'file/run', plan)) as { run_id: number }).run_id
  if (isPaused) await browser.api('POST', `run/${rollout}/pause`)
}
