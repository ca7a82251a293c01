#!/usr/bin/env node
import { existsSync } from 'node:fs'

const program = new URL('../dist/qd.js', import.meta.url)
if (existsSync(program)) {
  await import(program.href)
} else {
  process.stderr.write('error: qd is not built yet\n  try: npm start (once), or npm run build\n')
  process.exitCode = 2
}
