import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { agentRows } from './agent.ts'
import { attackRows } from './attack.ts'
import { backupRows } from './backup.ts'
import { beforeRows } from './before.ts'
import { cliRows } from './cli.ts'
import { fileRows } from './files.ts'
import { gatewayRows } from './gateway.ts'
import { historyRows } from './history.ts'
import { hostRows } from './host.ts'
import { natRows } from './nat.ts'
import { root } from './product.ts'
import { relayRows } from './relay.ts'
import type { Row } from './row.ts'
import { serverRows } from './server.ts'
import { siteParts, siteRows } from './site.ts'
import { farRows } from './speed/far.ts'
import { fleetRows } from './speed/fleet.ts'
import { loadRows } from './speed/load.ts'
import { longListRows } from './speed/rows.ts'
import { terminalRows } from './terminal.ts'
import { tuiRows } from './tui.ts'
import { webRows } from './web.ts'

/** Groups of figures by the word that `npm run bench -- WORD` takes. */
const groups: Readonly<Record<string, () => Promise<Row[]>>> = {
  server: () => serverRows(1000),
  history: () => historyRows(),
  cli: cliRows,
  tui: tuiRows,
  web: webRows,
  relay: relayRows,
  nat: natRows,
  gateway: gatewayRows,
  files: fileRows,
  far: farRows,
  terminal: terminalRows,
  agent: agentRows,
  attack: () => attackRows(),
  backup: () => backupRows(),
  load: loadRows,
  rows: longListRows,
  fleet: fleetRows,
  host: hostRows,
  before: beforeRows,
  site: () => siteRows(chosen.filter((word) => word in siteParts)),
}

const chosen = process.argv.slice(2)
const unknown = chosen.find((word) => !(word in groups || (chosen.includes('site') && word in siteParts)))
if (unknown) {
  process.stderr.write(`error: no figures "${unknown}"; there are: ${Object.keys(groups).join(' ')}\n`)
  process.exit(2)
}

const head = '| What | Budget | Measured | | Command |\n|---|---|---|---|---|\n'
const lines: string[] = []
process.stdout.write(head)
for (const [word, measure] of Object.entries(groups)) {
  if (chosen.length > 0 && !chosen.includes(word)) continue
  for (const { what, budget, measured, met } of await measure()) {
    const result = met ? 'met' : '**missed**'
    const line = `| ${what} | ${budget} | ${measured} | ${result} | \`npm run bench -- ${word}\` |\n`
    process.stdout.write(line)
    lines.push(line)
  }
}

if (chosen.length === 0) {
  const page = `# Benchmarks

What the product costs in time, memory, and CPU, and which budgets it meets. Measured by \`npm run bench\` on Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model.trim()}, everything on one machine.
Why a figure is what it is, and what was tried, is in [the log](benchmarks-log.md).

`
  writeFileSync(join(root, 'docs/develop/benchmarks.md'), page + head + lines.join(''))
}
