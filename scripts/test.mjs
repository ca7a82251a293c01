// npm test: installs, finds or installs Chromium, fonts, vim, ping, openssl, PostgreSQL, podman, three reverse proxies and a C compiler, then everything that must hold, with --postgres the server’s tests on PostgreSQL instead. Steps beside each other all run to their end; what comes after a failed one doesn’t run.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { install, refuse, root } from './install.mjs'
import { refuseTodo } from './todo-texts.mjs'

/** Chromium without a window takes three quarters of Chromium’s time. */
const browsers = [process.env.QD_CHROMIUM, '/usr/bin/chromium-headless-shell'].filter(Boolean)
const otherBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The first of these programs, installed from Debian's packages (named with blanks between) where there is none; else one of the others. */
function program(paths, packageName, hint, others = []) {
  const found = (among = paths) => among.find((path) => existsSync(path))
  if (found()) return found()
  process.stderr.write(`Installing ${packageName}…\n`)
  // Run level 1: what is installed is not started as a service.
  const settings = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const apt = (...args) => spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env: { ...process.env, ...settings } })
  apt('update', '-qq')
  apt('install', '-y', '-qq', '--no-install-recommends', ...packageName.split(' '))
  return found() ?? found(others) ?? refuse(`no ${packageName}: ${hint}`)
}

const leftOut = []

/** As `program`, for the test files that match `mention`: where only root could install it, they are left out, which is said first and last. */
function programOf(mention, paths, packageName) {
  if (process.getuid?.() === 0 || paths.some((path) => existsSync(path)))
    return program(paths, packageName, 'install it; tests run the server with it')
  const files = ['tests', 'apps/server/src']
    .flatMap((folder) => readdirSync(`${root}${folder}`, { recursive: true }).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.test.ts') && readFileSync(`${root}${file}`, 'utf8').match(mention))
  leftOut.push(...files)
  const say = () => process.stdout.write(`Skipped without ${packageName}, which root can install: ${files.join(' ')}\n`)
  say()
  process.on('exit', say)
  return null
}

refuseTodo()
install()
const report = `${root}.cache/failed-files.json`
const env = {
  ...process.env,
  FAILED_FILES: report,
  QD_CHROMIUM: program(
    browsers,
    'chromium-headless-shell',
    'install it, or name one with QD_CHROMIUM=/path/to/chromium',
    otherBrowsers,
  ),
}
program(
  ['/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'],
  'fonts-noto-cjk fonts-noto-core',
  'install them; browser tests measure Chinese and Tamil texts with them',
)
program(['/usr/bin/vim'], 'vim', 'install it; a browser test draws it in a terminal')
program(['/usr/bin/openssl'], 'openssl', 'install it; tests make certificates with it')
const hasPostgres = programOf(/peers\/postgres\.ts/, ['/usr/lib/postgresql', '/usr/bin/initdb'], 'postgresql') !== null
programOf(/sbin\/pgbouncer/, ['/usr/sbin/pgbouncer'], 'pgbouncer')
programOf(/support\/site\.ts|sbin\/haproxy/, ['/usr/sbin/haproxy'], 'haproxy')
program(['/usr/bin/cc'], 'gcc libc6-dev', 'install it; a test cuts the power of a server with it')
program(['/usr/bin/prlimit'], 'util-linux', 'install it; a test fills the disk of a server with it')
for (const [path, name] of [
  ['/usr/sbin/nginx', 'nginx-light'],
  ['/usr/bin/caddy', 'caddy'],
])
  program([path], name, 'install it; a test runs the server behind it')
for (const [path, name] of [
  ['/usr/bin/podman', 'podman'],
  ['/usr/bin/crun', 'crun'],
  ['/bin/busybox', 'busybox'],
])
  program([path], name, 'install it; a test reads its containers')
program(['/usr/bin/ping', '/bin/ping'], 'iputils-ping', 'install it; the agent pings with it')
const bin = (name) => `${root}node_modules/.bin/${name}`
const isForPostgres = process.argv.includes('--postgres')
if (isForPostgres && !hasPostgres) refuse('no postgresql: install it')
if (leftOut.length > 0) env.QD_LEFT_OUT = leftOut.join(' ')
const serverTests = ['tests/server', 'tests/abuse', 'tests/wire', 'apps/server/src']
/** Those in which most of the statements of the stores are. */
const sqlTests = [
  'records',
  'audit',
  'history',
  'paged-lists',
  'sessions',
  'regroup',
  'deleted-references',
  'last-used',
]
/** The server's tests on PostgreSQL (tests/support/test-database.ts). */
const onPostgres = [
  'scale 6: on PostgreSQL',
  '/usr/bin/env',
  [
    'QD_TEST_DATABASE=postgres',
    bin('vitest'),
    'run',
    ...(isForPostgres ? serverTests : sqlTests.map((name) => `tests/server/${name}.test.ts`)),
  ],
]
/** One after the other; those of one array beside each other. */
const everything = [
  [['build', process.execPath, ['scripts/build.mjs']]],
  [
    ['types', process.execPath, ['scripts/types.mjs']],
    ['lint', bin('biome'), ['check', '--diagnostic-level=error', '.']],
    ['unused code', bin('knip'), ['--no-progress']],
  ],
  [
    [
      'unit, contract, acceptance',
      bin('vitest'),
      ['run', '--reporter=default', '--reporter=./scripts/failed-files.mjs'],
      () => failedFiles().length > 0 && ['run', ...failedFiles()],
    ],
  ],
  // Alone: beside the others, which keep two cores busy, browsers are too slow for the patience of their tests.
  [['browser', bin('playwright'), ['test', '-c', 'tests/playwright.config.ts']]],
  hasPostgres ? [onPostgres] : [],
]
const steps = isForPostgres ? [everything[0], [onPostgres]] : everything

/** The files of the last run of vitest in which a test failed; none if that isn’t all that went wrong. */
const failedFiles = () => (existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : [])

/** Its exit code. What it says is shown at once, or at its end. */
const run = (command, args, isShownAtOnce) =>
  new Promise((resolve) => {
    const output = isShownAtOnce ? 'inherit' : 'pipe'
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', output, output], env })
    const said = []
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => said.push(bytes))
    child.on('error', () => resolve(1))
    child.on('close', (status) => {
      process.stdout.write(Buffer.concat(said))
      resolve(status)
    })
  })

/** Whether the step succeeds. */
async function runStep([name, command, args, argsOfFailed], isShownAtOnce) {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  process.stdout.write(`\n── ${name}\n`)
  let status = await run(command, args, isShownAtOnce)
  // A landing is not lost to what a failed try left behind: the files that failed start anew, alone. At a desk a flake shows.
  const again = status !== 0 && process.env.CI && argsOfFailed?.()
  if (again) {
    process.stdout.write(`\n── ${name}: what failed, once more\n`)
    status = await run(command, again, isShownAtOnce)
  }
  process.stdout.write(status === 0 ? `   ${name}: ${seconds()} s\n` : `\n${name} failed after ${seconds()} s\n`)
  return status === 0
}

mkdirSync(`${root}.cache`, { recursive: true })
rmSync(report, { force: true })
for (const beside of steps) {
  const succeeded = await Promise.all(beside.map((step, index) => runStep(step, index === 0)))
  if (succeeded.includes(false)) process.exit(1)
}
