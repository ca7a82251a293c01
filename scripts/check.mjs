// npm run check [-- WORKSPACE …]: what is worth asking after every change, in two minutes; in more after one of core, which everything imports. Types and
// lint of the workspaces, the project's rules (tests/architecture), for definitions the tests that go through all of them (wire, rights, keys, commands),
// and the tests beside the sources that import what changed. Stops at the first step that fails. Without a workspace: those with changes.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { root } from './install.mjs'
import { namedWorkspaces, workspaces } from './workspaces.mjs'

const git = (...args) => {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}
const lines = (text) => text.split('\n').filter(Boolean)

/** What differs from where this branch left main, committed or not. */
function changedFiles() {
  const from = git('merge-base', 'HEAD', 'main') || 'HEAD'
  return [...lines(git('diff', '--name-only', from)), ...lines(git('ls-files', '--others', '--exclude-standard'))]
}

const changed = changedFiles()
const args = process.argv.slice(2)
const named =
  args.length > 0
    ? namedWorkspaces(args)
    : workspaces.filter((one) => changed.some((file) => file.startsWith(`${one}/`)))
const inNamed = changed.filter((file) => named.some((one) => file.startsWith(`${one}/`)))
const code = inNamed.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && existsSync(root + file))
const bin = (name) => `${root}node_modules/.bin/${name}`
/** Tests of whole programs take minutes; those of other workspaces are asked by name. */
const far = ['tests/**', ...workspaces.filter((one) => !named.includes(one)).map((one) => `${one}/**`)]
/** What imports a changed package may not compile any more. */
const typed = named.some((one) => one.startsWith('packages/')) ? workspaces : named
const steps = [
  ['types', named.length > 0, process.execPath, ['scripts/types.mjs', ...typed]],
  ['lint', named.length > 0, bin('biome'), ['check', '--diagnostic-level=error', ...named]],
  ['project rules', true, bin('vitest'), ['run', '--reporter=dot', 'tests/architecture']],
  [
    'every definition',
    code.some((file) => /^(packages\/core\/src|apps\/server\/src\/api)\/resources\//.test(file)),
    bin('vitest'),
    [
      ...['run', '--reporter=dot', 'tests/wire/replay', 'tests/abuse/quotas', 'tests/abuse/matrix'],
      ...['packages/core/src/actions', 'apps/tui/src/cli/commands/tree', 'apps/tui/src/places/list/list-columns'],
    ],
  ],
  [
    'near tests',
    code.length > 0,
    bin('vitest'),
    ['related', '--run', '--passWithNoTests', '--reporter=dot', ...far.flatMap((one) => ['--exclude', one]), ...code],
  ],
]

// A pipe is read later: without colors.
const env = { ...process.env, ...(!process.stdout.isTTY && { NO_COLOR: '1' }) }
for (const [name, isNeeded, command, argv] of steps) {
  if (!isNeeded) continue
  const started = Date.now()
  process.stdout.write(`── ${name} …\n`)
  const { status } = spawnSync(command, argv, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env })
  process.stdout.write(
    `── ${name}: ${status === 0 ? 'ok' : 'FAILED'}, ${Math.round((Date.now() - started) / 1000)} s\n`,
  )
  // What comes after would mostly fail for the same reason.
  if (status !== 0) process.exit(1)
}
