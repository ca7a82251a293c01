import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { agentRows } from './agent.ts'
import { attackRows } from './attack.ts'
import { backupRows } from './backup.ts'
import { cliRows } from './cli.ts'
import { fileRows } from './files.ts'
import { gatewayRows } from './gateway.ts'
import { historyRows } from './history.ts'
import { natRows } from './nat.ts'
import { root } from './product.ts'
import { relayRows } from './relay.ts'
import type { Row } from './row.ts'
import { serverRows } from './server.ts'
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
}

const chosen = process.argv.slice(2)
const unknown = chosen.find((word) => !(word in groups))
if (unknown) {
  process.stderr.write(`error: no figures "${unknown}"; there are: ${Object.keys(groups).join(' ')}\n`)
  process.exit(2)
}

const sections: string[] = []
for (const [word, measure] of Object.entries(groups)) {
  if (chosen.length > 0 && !chosen.includes(word)) continue
  const rows = await measure()
  const lines = rows.map(
    ({ what, budget, measured, met }) => `| ${what} | ${budget} | ${measured} | ${met ? 'met' : '**missed**'} |`,
  )
  const section = [
    `## ${word}: \`npm run bench -- ${word}\``,
    '',
    '| What | Budget | Measured | |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n')
  process.stdout.write(`${section}\n`)
  sections.push(section)
}

if (chosen.length === 0) {
  const head = `# Benchmarks\n\nWhat the product costs in time, memory, and CPU, and which budgets it meets. Measured by \`npm run bench\` on Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model.trim()}, everything on one machine.\nBudgets are those of the architecture.\n`
  const file = join(root, 'docs/benchmarks.md')
  // Keep the notes about missed budgets: only the measurements are new.
  const notes = /^## Missed.*/ms.exec(readFileSync(file, 'utf8'))?.[0] ?? ''
  writeFileSync(file, [head, ...sections, notes].join('\n'))
}
