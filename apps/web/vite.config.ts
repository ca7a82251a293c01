import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import locales from '@react-aria/optimize-locales-plugin'
import { vanillaExtractPlugin } from '@vanilla-extract/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstPaint, firstPaintHead } from './src/base/theme/first-paint.ts'
import { splitTexts } from './texts.ts'

const languages = readdirSync(join(import.meta.dirname, '../../locales'))
const texts = /\.(js|css|html|svg|json)$/

/** Every text file also as .br and .gz, made once at the strongest level, so that the server only sends them. */
function precompress(): Plugin {
  return {
    name: 'quarterdeck-precompress',
    apply: 'build',
    writeBundle({ dir }) {
      for (const name of readdirSync(dir!, { recursive: true, encoding: 'utf8' }).filter((file) => texts.test(file))) {
        const file = join(dir!, name)
        const bytes = readFileSync(file)
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
        writeFileSync(
          `${file}.br`,
          brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
        )
      }
    },
  }
}

/** The frame in grey, in the page itself. Styles are fetched beside it and stand behind it, so that they do not hold it up. */
function paintFirst(): Plugin {
  return {
    name: 'quarterdeck-paint-first',
    transformIndexHtml: {
      order: 'post',
      handler(page, { path }) {
        const held = [...page.matchAll(/\s*<link rel="stylesheet"[^>]*>/g)].map(([link]) => link)
        const rest = held.reduce((text, link) => text.replace(link, ''), page)
        const part = path.endsWith('dashboard.html') ? 'console' : 'public'
        return rest
          .replace('</title>', `</title>\n    ${firstPaintHead}`)
          .replace('<div id="root"></div>', `<div id="root"></div>${firstPaint(part)}${held.join('')}`)
      },
    },
  }
}

/** Starts loading the texts beside the code, in the language chosen in this browser, else the site’s. */
function preloadTexts(): Plugin {
  return {
    name: 'quarterdeck-preload-texts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_page, { bundle, path }) {
        const spaces = path.endsWith('dashboard.html') ? ['ui', 'words'] : ['ui']
        const fileOf = (name: string) => Object.values(bundle!).find((file) => file.name === name)?.fileName
        const files = languages.map((language) => [language, spaces.map((space) => fileOf(`${space}-${language}`))])
        const script = `(()=>{const f=${JSON.stringify(Object.fromEntries(files))}
let l;try{l=localStorage.getItem('language')}catch{}
for(const n of f[l]??f[document.documentElement.lang]??f['en-US']){const k=document.createElement('link')
k.rel='modulepreload';k.nonce=document.currentScript.nonce;k.href='${base}'+n;document.head.append(k)}})()`
        return [{ tag: 'script', children: script, injectTo: 'head' }]
      },
    },
  }
}

/** The status page’s own code. The entries stay out of groups: a page would start what another one holds. */
const own = /index\.html|dashboard\.html|src.(dashboard|status-page)\.ts|src.public./

/** What the console and the status page share. A module that is missing here brings all of `console` to the status page. */
const shared = [
  /rolldown.runtime|vite.preload-helper|packages.protocol|core.src.(api[\\/]|errors|i18n[\\/])/,
  /node_modules.(@legendapp|@vanilla-extract|i18next|react|react-dom|scheduler|use-sync-external-store|zod)[\\/]/,
  /core.src.define.(fields|host|host-metrics|plain-text|read|schema|wire)\.ts|core.src.fields.(day-tone|plan-note|rule-metrics)\.ts/,
  /core.src.(actions.read|actions.read-hosts|resources.(online|server-sample|service-state)|schemas.(host-state|visitor))\.ts/,
  /web.src.base.(custom-code|drawn|first-answers|ports|hooks.use-timers|state.(lazy-part|product|texts)|theme.(contract|global))\./,
  /web.src.(record.fields.DaysValue|ui.(StateMark.css|drawings.(Drawings|Logo)))\./,
]

/** Parts of later pages that stand alone: the sign-in page loads no menus, and no list loads charts. */
const alone =
  /sign-in|inputs.(Field|Input)\.|charts.(LineChart|plot|align|Charts.css)|uplot|core.src.view.history-charts|schemas.history|private.(ssr.SSRProvider|i18n.(I18nProvider|useDefaultLocale|utils))\./

/** Few files are few round trips. `$initial` is what a page loads at once; `near` is what later parts share. */
const groups = [
  {
    debugName: 'texts',
    test: /[\\/]locales[\\/][\w-]+[\\/]\w+\.json/,
    name(id: string) {
      const [, language, space, rest] = /([\w-]+)[\\/](\w+)\.json(.*)$/.exec(id)!
      return `${rest ? 'later' : space === 'ui' ? 'ui' : 'words'}-${language}`
    },
  },
  { name: 'base', tags: ['$initial' as const], test: (id: string) => shared.some((part) => part.test(id)) },
  { name: 'console', tags: ['$initial' as const], test: (id: string) => !own.test(id) },
  { name: 'near', minShareCount: 2, test: (id: string) => !alone.test(id) && !own.test(id) },
]

const base = '/dashboard/'

export default defineConfig({
  base,
  plugins: [
    { ...locales.vite({ locales: languages }), enforce: 'pre' },
    react(),
    vanillaExtractPlugin(),
    splitTexts(),
    paintFirst(),
    preloadTexts(),
    precompress(),
  ],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    // All styles in one file are 1 request and 12 KB, for parts that come later too.
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      input: ['index.html', 'dashboard.html'].map((page) => join(import.meta.dirname, page)),
      output: { codeSplitting: { includeDependenciesRecursively: false, groups } },
    },
  },
  server: {
    port: 0,
    proxy: {
      '/api': { target: process.env.QD_URL ?? 'http://127.0.0.1:8008', ws: true },
      // Every address shows the console, except the status page’s.
      [`^${base}(?!index.html)`]: {
        bypass: ({ headers, url }) => (headers.accept?.includes('text/html') ? `${base}dashboard.html` : url),
      },
    },
  },
})
