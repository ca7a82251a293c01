// Builds what is stale: web console, server, agent, qd. Run as a program it builds everything that changed.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './install.mjs'
import { jsonSchemaOfZod, stubOf } from './without-json-schema.mjs'

const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" }
const node = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  minify: true,
  legalComments: 'none',
  banner,
  logLevel: 'warning',
}
const externals = ['better-sqlite3', '@node-rs/*', 'pg-native', 'bufferutil', '@lydell/node-pty']

const esbuild = async (options) => (await import('esbuild')).build({ absWorkingDir: root, ...node, ...options })

/** commander loads child_process for commands that are programs of their own; qd has none and starts sooner without it. */
const withoutSpawning = {
  name: 'without-spawning',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('/node_modules/commander/') ? { path: join(root, 'scripts/empty.mjs') } : null,
    ),
}

/** What most starts never use (of Ink, the width of texts): each is loaded with the first call of one of its functions, or the first object of one of its classes. */
const lateModules = /^(node:(crypto|child_process|fs\/promises)|i18next|uqr|string-width|ws)$/
const withLateModules = {
  name: 'with-late-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: lateModules }, ({ path, namespace, resolveDir }) =>
      namespace === 'late' ? null : { path, namespace: 'late', pluginData: resolveDir },
    )
    onLoad({ filter: lateModules, namespace: 'late' }, async ({ path, pluginData: resolveDir }) => {
      const names = Object.entries(await import(path)).flatMap(([name, it]) => (typeof it === 'function' ? [name] : []))
      const lines = names.map(
        (name) => `export ${name === 'default' ? 'default ' : ''}function ${name === 'default' ? '' : name}(...args) {
            const it = require('${path}').${name}
            return new.target ? new it(...args) : it(...args)
          }`,
      )
      return { contents: lines.join('\n'), resolveDir }
    })
  },
}

/** Of a package.json nothing but its version, inside the program: no file of its own is read for it. */
const withVersion = {
  name: 'with-version',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8'))
      return { contents: JSON.stringify({ version }), loader: 'json' }
    }),
}

/** Leaves the JSON schemas of zod out of the pages. */
const withoutJsonSchemaInPages = {
  name: 'without-json-schema',
  enforce: 'pre',
  transform: (code, id) => (jsonSchemaOfZod.test(id) ? { code: stubOf(code), map: null } : null),
}

const terminal = {
  jsx: 'automatic',
  // Without a global fetch, Yoga reads its code at once; with it, Node loads its HTTP client first, which nothing here uses.
  define: { 'process.env.NODE_ENV': '"production"', fetch: 'undefined' },
  external: ['bufferutil', 'react-devtools-core'],
  plugins: [withoutSpawning, withVersion],
}

/** Node starts a script sooner than an ES module. */
const asScript = { outExtension: { '.js': '.cjs' }, format: 'cjs', banner: {} }
/** All commands of qd, and its texts. */
const whole = {
  ...terminal,
  loader: { '.json': 'copy' },
  assetNames: 'texts/[name]-[hash]',
  plugins: [...terminal.plugins, withLateModules],
}

/** The key pair that signs agents and checksums of a release: a PEM file (Ed25519) that `QD_RELEASE_KEY` names; null for a self-made build. */
export const releaseKey = (() => {
  const { QD_RELEASE_KEY: path } = process.env
  if (!path) return null
  const secret = createPrivateKey(readFileSync(path))
  return { private: secret, public: createPublicKey(secret).export({ type: 'spki', format: 'der' }).toString('base64') }
})()

/** Writes the release's signature beside an agent bundle, over the text of `toSignedText` (packages/protocol). */
function signBundle(file, key) {
  const bytes = readFileSync(file)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const text = `quarterdeck-agent ${version} ${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`
  writeFileSync(`${file}.sig`, `${sign(null, Buffer.from(text), key).toString('base64')}\n`)
}

/** Bundles a program as one module, from which scripts/single.mjs compiles a single file. */
export const bundleForSingleFile = (app, outfile) => {
  const { entry, ...options } = {
    // One file has no part of its own for Ink’s developer tools, which are an optional package.
    'apps/tui': {
      entry: 'apps/tui/src/start/single-file.ts',
      ...terminal,
      alias: { 'react-devtools-core': join(root, 'scripts/empty.mjs') },
    },
    'apps/agent': {
      entry: 'apps/agent/src/main.ts',
      alias: {
        '@lydell/node-pty': join(root, 'apps/agent/src/machine/host/bun-pty.ts'),
        tls: join(root, 'apps/agent/src/machine/host/bun-tls.ts'),
      },
      external: ['bun:ffi'],
    },
  }[app]
  const define = { ...options.define, RELEASE_KEY: JSON.stringify(releaseKey?.public ?? ''), IS_SINGLE_FILE: 'true' }
  return esbuild({ ...options, entryPoints: [entry], outfile, define, target: 'esnext' })
}

/** What is built, from which folders, and how; tests build into a folder of their own. */
export const targets = {
  'apps/agent': {
    sources: ['apps/agent/src', 'packages/protocol/src', 'package.json'],
    async build(outdir = 'apps/agent/dist') {
      await esbuild({
        entryPoints: ['apps/agent/src/main.ts'],
        outfile: `${outdir}/main.js`,
        external: ['@lydell/node-pty'],
        define: { RELEASE_KEY: JSON.stringify(releaseKey?.public ?? '') },
      })
      if (releaseKey) signBundle(resolve(root, outdir, 'main.js'), releaseKey.private)
    },
  },
  'apps/server': {
    sources: ['apps/server/src', 'packages', 'locales', 'package.json'],
    build: (outdir = 'apps/server/dist') =>
      esbuild({
        entryPoints: ['apps/server/src/main.ts', 'apps/server/src/history-worker.ts'],
        outdir,
        external: externals,
        splitting: true,
        chunkNames: 'chunks/[name]-[hash]',
      }),
  },
  'apps/tui': {
    sources: ['apps/tui/src', 'packages', 'locales', 'package.json'],
    build: async (outdir = 'apps/tui/dist') => {
      await esbuild({
        ...terminal,
        plugins: [withoutSpawning],
        entryPoints: { tools: 'apps/tui/src/start/mcp-program.ts' },
        outdir,
        supported: { 'dynamic-import': false },
      })
      // YAML and jq take longer to load than most commands take.
      await esbuild({
        ...terminal,
        entryPoints: { yaml: 'apps/tui/src/base/yaml.ts', jq: 'apps/tui/src/base/jq.ts' },
        outdir,
      })
      await esbuild({ ...terminal, ...asScript, entryPoints: { qd: 'apps/tui/src/start/main.ts' }, outdir })
      await esbuild({
        ...whole,
        ...asScript,
        entryPoints: { commands: 'apps/tui/src/start/program.ts' },
        supported: { 'dynamic-import': false },
        outdir,
      })
      // Ink waits for its layout engine while it is imported, which a script can't.
      await esbuild({
        ...whole,
        entryPoints: { screen: 'apps/tui/src/start/ui-program.ts' },
        splitting: true,
        chunkNames: 'screen/[name]-[hash]',
        outdir,
      })
    },
  },
  'apps/web': {
    sources: [
      'apps/web/src',
      'apps/web/index.html',
      'apps/web/vite.config.ts',
      'apps/web/dashboard.html',
      'apps/web/texts.ts',
      'apps/web/public',
      'packages',
      'locales',
    ],
    build: async () => {
      // Vite builds pages for tests where it is called by one: lists of cards have no width there.
      const before = process.env.NODE_ENV
      process.env.NODE_ENV = 'production'
      try {
        const { build } = await import('vite')
        await build({ root: join(root, 'apps/web'), logLevel: 'warn', plugins: [withoutJsonSchemaInPages] })
      } finally {
        if (before === undefined) delete process.env.NODE_ENV
        else process.env.NODE_ENV = before
      }
    },
  },
}

/** Path, size and time of every file below a path, in a stable order; tests are no sources. */
function listing(path) {
  if (!existsSync(path)) return ''
  const stats = statSync(path)
  if (!stats.isDirectory()) return /\.test\.tsx?$/.test(path) ? '' : `${path}:${stats.size}:${stats.mtimeMs}\n`
  return readdirSync(path)
    .filter((name) => name !== 'node_modules' && name !== 'dist')
    .sort()
    .map((name) => listing(join(path, name)))
    .join('')
}

/** A text that changes with the sources of a target. */
export function stateOf(name) {
  const files = [
    ...targets[name].sources,
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/without-json-schema.mjs',
  ].map((source) => listing(join(root, source)))
  return createHash('sha256')
    .update(files.join('') + (releaseKey?.public ?? ''))
    .digest('hex')
}

/** Builds every stale target; returns the names of those it built. */
export async function build() {
  const built = []
  for (const [name, target] of Object.entries(targets)) {
    const stamp = join(root, name, 'dist/.built')
    const state = stateOf(name)
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) continue
    process.stderr.write(`Building ${name}…\n`)
    rmSync(join(root, name, 'dist'), { recursive: true, force: true })
    await target.build()
    mkdirSync(join(root, name, 'dist'), { recursive: true })
    writeFileSync(stamp, state)
    built.push(name)
  }
  return built
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await build()
