import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import locales from '@react-aria/optimize-locales-plugin'
import { vanillaExtractPlugin } from '@vanilla-extract/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { divide } from './chunks.ts'
import { firstWords } from './first-words.ts'
import { preloadConsole } from './preload-console.ts'
import { firstPaint, firstPaintHead } from './src/base/theme/first-paint.ts'

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
      handler(page) {
        const held = [...page.matchAll(/\s*<link rel="stylesheet"[^>]*>/g)].map(([link]) => link)
        const rest = held.reduce((text, link) => text.replace(link, ''), page)
        return rest
          .replace('</title>', `</title>\n    ${firstPaintHead}`)
          .replace('<div id="root"></div>', `<div id="root"></div>${firstPaint('public')}${held.join('')}`)
      },
    },
  }
}

/** What makes modules of sources; the rest only writes pages. */
const plugins = (): Plugin[] => [
  { ...locales.vite({ locales: languages }), enforce: 'pre' },
  ...react(),
  ...vanillaExtractPlugin(),
]
const base = '/dashboard/'
const root = import.meta.dirname

export default defineConfig(async ({ command }) => {
  const division = command === 'build' ? await divide({ root, base, plugins: plugins() }) : null
  return {
    base,
    plugins: [
      ...plugins(),
      ...(division ? [firstWords(division.isFirst)] : []),
      paintFirst(),
      preloadConsole(languages),
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
        output: {
          codeSplitting: division !== null && {
            includeDependenciesRecursively: false,
            groups: [{ name: division.chunkOf, debugName: 'part' }],
          },
        },
      },
    },
    server: {
      port: 0,
      proxy: { '/api': { target: process.env.QD_URL ?? 'http://127.0.0.1:8008', ws: true } },
    },
  }
})
