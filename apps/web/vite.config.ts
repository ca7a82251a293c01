import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import locales from '@react-aria/optimize-locales-plugin'
import { vanillaExtractPlugin } from '@vanilla-extract/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const languages = ['zh-CN', 'zh-TW', 'en-US', 'ru-RU', 'es-ES', 'de-DE', 'ta-IN', 'it-IT']
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

export default defineConfig({
  base: '/dashboard/',
  plugins: [
    { ...locales.vite({ locales: languages }), enforce: 'pre' },
    react(),
    vanillaExtractPlugin(),
    precompress(),
  ],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // One file for what every page needs: fewer requests, and it compresses better together.
      output: {
        codeSplitting: {
          groups: [{ name: 'base', test: /node_modules\/(react|react-dom|scheduler|zod|@legendapp|croner)\// }],
        },
      },
    },
  },
  server: {
    port: 0,
    proxy: { '/api': { target: process.env.QD_URL ?? 'http://127.0.0.1:8008', ws: true } },
  },
})
