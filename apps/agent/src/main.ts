import { updateExitCode } from '@qd/protocol/agent-update'
import manifest from '../../../package.json' with { type: 'json' }
import { notesOn, UsageError } from './config/operator-values.ts'
import { importSettings, loadSettings, usage } from './config/settings.ts'
import { createMachine, createProcess, createSettingsSource } from './machine/host.ts'

const { print, onStop, exit, leave, supervise, ownProgram } = createProcess()
const source = createSettingsSource()

const runAgent = async () => {
  const machine = createMachine()
  const settings = await loadSettings(source).catch((error) => {
    if (!(error instanceof UsageError)) throw error
    machine.log(`${error.message}; for help: --help`)
    return exit(2)
  })
  // Imported only here, because a supervisor, the help and a usage error need none of it.
  const { startAgent } = await import('./agent.ts')
  const end = (code: number) => void agent.stop().then(() => leave(code))
  const program = ownProgram({ isService: source.args.includes('--service'), restart: () => end(updateExitCode) })
  const agent = startAgent({ settings, machine, version: manifest.version, program })
  for (const note of notesOn(settings.current)) machine.log(note)
  if (settings.isWatchOnly)
    machine.log('watch-only: this host takes no commands, files, or configuration from the server')
  machine.log(`reporting to ${settings.current.server} as ${settings.current.uuid}`)
  onStop(() => end(0))
}

/** Prints what a Nezha agent's file holds, for the installer. */
const printImported = async () => {
  const { log } = createMachine()
  const { settings, notes } = await importSettings(source).catch((error) => {
    if (!(error instanceof UsageError)) throw error
    log(error.message)
    return exit(2)
  })
  for (const note of notes) log(note)
  print(JSON.stringify(settings))
}

if (source.args.includes('--help')) print(usage)
else if (source.args.includes('--version')) print(manifest.version)
else if (source.args.includes('--import')) await printImported()
else if (source.args.includes('--supervise')) {
  const stop = new AbortController()
  onStop(() => stop.abort())
  exit(
    await supervise(
      source.args.filter((arg) => arg !== '--supervise'),
      stop.signal,
    ),
  )
} else await runAgent()
