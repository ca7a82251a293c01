// Folders that hold a program with everything it needs, from what was built: for npm packages and Debian packages.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { root } from './install.mjs'
import { thirdPartyNotices } from './notices.mjs'
import { refuseTodo } from './todo-texts.mjs'

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const { version, engines } = read(join(root, 'package.json'))

/** What is left out of a copied module: it is there to build it, and needs a compiler. */
const forBuilding = new Set([
  'deps',
  'src',
  'obj',
  'obj.target',
  '.deps',
  'sqlite3.a',
  'test_extension.node',
  'binding.gyp',
  '.npmignore',
])
/** Modules that only fetch or compile native code. */
const onlyForBuilding = new Set(['prebuild-install', 'node-addon-api', 'node-gyp-build-optional-packages'])

/** The folder of an installed module, looked for from that of the one that needs it; null where this platform has none. */
function folderOf(name, from) {
  const require = createRequire(join(from, 'package.json'))
  const found = require.resolve.paths(name)?.find((folder) => existsSync(join(folder, name, 'package.json')))
  return found ? join(found, name) : null
}

/** Copies a module and what it needs below `node_modules` of a folder. Its install scripts are dropped: nothing is left to compile. */
function copyModule(name, from, folder, done) {
  const source = folderOf(name, from)
  if (done.has(name) || onlyForBuilding.has(name) || source === null) return
  done.add(name)
  const target = join(folder, 'node_modules', name)
  cpSync(source, target, {
    recursive: true,
    dereference: true,
    filter: (path) => path === source || (!forBuilding.has(basename(path)) && basename(path) !== 'node_modules'),
  })
  const { scripts: _scripts, gypfile: _gypfile, files: _files, ...about } = read(join(source, 'package.json'))
  const needed = Object.keys({ ...about.dependencies, ...about.optionalDependencies })
  for (const one of needed) copyModule(one, source, folder, done)
  const kept = (list = {}) => Object.fromEntries(Object.entries(list).filter(([one]) => done.has(one)))
  const dependencies = { ...kept(about.dependencies), ...kept(about.optionalDependencies) }
  const { optionalDependencies: _optional, devDependencies: _dev, ...plain } = about
  writeFileSync(join(target, 'package.json'), JSON.stringify({ ...plain, dependencies }, null, 2))
}

const built = (path) => basename(path) !== '.built'

/** Programs: the parts of the build, modules with native code or data, and the command. */
export const programs = {
  qd: {
    name: 'quarterdeck-cli',
    about: 'Terminal UI and command line for fleets of monitored servers',
    from: 'apps/tui',
    parts: ['apps/tui/dist', 'apps/tui/bin'],
    modules: [],
    bin: { qd: 'apps/tui/bin/qd.js' },
  },
  'quarterdeck-agent': {
    name: 'quarterdeck-agent',
    about: 'Monitoring agent',
    from: 'apps/agent',
    parts: ['apps/agent/dist'],
    modules: ['@lydell/node-pty'],
    bin: { 'quarterdeck-agent': 'bin/quarterdeck-agent.js' },
    main: 'apps/agent/dist/main.js',
    flags: read(join(root, 'apps/agent/node-flags.json')),
  },
  quarterdeck: {
    name: 'quarterdeck-server',
    about: 'Web console and server for fleets of monitored servers',
    from: 'apps/server',
    parts: ['apps/server/dist', 'apps/server/install', 'apps/web/dist', 'apps/agent/dist'],
    modules: [
      'better-sqlite3',
      '@node-rs/argon2',
      '@lydell/node-pty',
      '@ip-location-db/geo-whois-asn-country-mmdb',
      'bufferutil',
    ],
    bin: { quarterdeck: 'bin/quarterdeck.js' },
    main: 'apps/server/dist/main.js',
    flags: read(join(root, 'apps/server/node-flags.json')),
    environment: read(join(root, 'apps/server/node-env.json')),
  },
}

/** The versions of Node that a program runs on. The code of better-sqlite3 is compiled for one major version: that of this machine. */
export function enginesOf(program) {
  const major = Number(process.versions.node.split('.')[0])
  return programs[program].modules.includes('better-sqlite3') ? { node: `${engines.node} <${major + 1}` } : engines
}

/** Makes the folder of a program, from nothing. It runs on the platform that it was built on. */
export function stage(program, folder) {
  refuseTodo()
  const { name, about, from, parts, modules, bin, main, ...settings } = programs[program]
  rmSync(folder, { recursive: true, force: true })
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true, filter: built })
  const done = new Set()
  for (const module of modules) copyModule(module, join(root, from), folder, done)
  for (const file of Object.values(bin)) if (main) writeCommand(join(folder, file), main, settings)
  const bundled = Object.fromEntries(
    [...done].map((one) => [one, read(join(folder, 'node_modules', one, 'package.json')).version]),
  )
  const description = {
    name,
    version,
    description: about,
    license: 'Apache-2.0',
    type: 'module',
    bin,
    engines: enginesOf(program),
    ...(done.size > 0 && { os: [process.platform], cpu: [process.arch] }),
    dependencies: bundled,
    bundleDependencies: Object.keys(bundled),
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`)
  for (const paper of ['LICENSE', 'NOTICE']) cpSync(join(root, paper), join(folder, paper))
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices())
}

/** A command that becomes the program. */
function writeCommand(file, main, { flags = [], environment = {} }) {
  mkdirSync(dirname(file), { recursive: true })
  const words = [...Object.entries(environment).map(([name, value]) => `${name}=${value}`), 'node', ...flags]
  const runner = words.length > 1 ? `-S ${words.join(' ')}` : 'node'
  const text = `#!/usr/bin/env ${runner}\nawait import(new URL('../${main}', import.meta.url).href)\n`
  writeFileSync(file, text, { mode: 0o755 })
}

export { version }
