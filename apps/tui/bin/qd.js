#!/usr/bin/env node
const { existsSync } = require('node:fs')
const { join } = require('node:path')

const program = join(__dirname, '../dist/qd.cjs')
if (existsSync(program)) {
  require(program)
} else {
  process.stderr.write('error: qd is not built yet\n  try: npm start (once), or npm run build\n')
  process.exitCode = 2
}
